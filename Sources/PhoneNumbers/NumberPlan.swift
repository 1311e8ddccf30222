import CPhoneNumber
import Contacts

/// What libphonenumber says of one string of digits.
struct NumberPlan {
    let e164: String
    /// Valid, and no short number, which means something else in every country.
    let isKey: Bool
    let isNorthAmerican: Bool
    private let countryCode: CInt

    /// Nil if the digits are no number at all.
    init?(_ digits: String, region: String?) {
        guard var result = Self.read(digits, region) else { return nil }
        // Also when dialled with another country's prefix.
        let today = MexicanMobile.folded(Self.e164(result), region: nil)
        if today != Self.e164(result) {
            guard let folded = Self.read(today, region) else { return nil }
            result = folded
        }
        e164 = Self.e164(result)
        isKey = result.is_valid && !result.is_short
        isNorthAmerican = result.country_code == 1
        countryCode = result.country_code
    }

    /// Whether it is of a kind that companies advertise; found out when it is asked, as few numbers are words.
    var isService: Bool { unsafe cphonenumber_is_service(e164) }

    /// Whether digits without `+` or trunk zero may be two numbers: one of the region, and one of the same country
    /// written with its country code. In Germany 491711234567 is a mobile without `+` or a landline without zero.
    func isAmbiguous(_ digits: String, region: String?) -> Bool {
        guard !digits.hasPrefix("+"), !digits.hasPrefix("0"), digits.hasPrefix(String(countryCode)),
            let abroad = NumberPlan("+" + digits, region: region)
        else { return false }
        return abroad.isKey && abroad.e164 != e164
    }

    private static func read(_ digits: String, _ region: String?) -> CPhoneNumberResult? {
        var result = CPhoneNumberResult()
        return unsafe cphonenumber_read(digits, region ?? "", &result) ? result : nil
    }

    private static func e164(_ result: CPhoneNumberResult) -> String {
        unsafe withUnsafeBytes(of: result.e164) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
