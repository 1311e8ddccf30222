/// Mexico's old prefixes of mobile numbers: `+52 1`, and 01, 044, 045 at home.
///
/// They ended in August 2019; the number is +52 and ten digits. Versions of libphonenumber differ in whether they
/// know, and a key must not depend on the version.
package enum MexicanMobile {
    /// The digits as they are dialled today; others are left alone.
    package static func folded(_ digits: String, region: String?) -> String {
        if digits.hasPrefix("+52"), let today = today(digits.dropFirst(3), prefixes: ["1"]) {
            return "+52" + today
        }
        guard region == "MX", !digits.hasPrefix("+") else { return digits }
        return today(digits[...], prefixes: ["1", "01", "044", "045", "521"]) ?? digits
    }

    /// The ten digits of a national significant number behind an old prefix.
    private static func today(_ digits: Substring, prefixes: [String]) -> String? {
        prefixes.first { digits.hasPrefix($0) && digits.utf8.count == $0.utf8.count + 10 }
            .map { String(digits.dropFirst($0.count)) }
    }
}
