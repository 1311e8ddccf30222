import Contacts

/// Keys by digits alone: what starts with `+` has one.
struct DigitKeys: PhoneKeying, Sendable {
    var forgetful: any PhoneKeying & Sendable { self }

    func key(of number: String, region: String?) -> String? {
        guard number.first == "+" else { return nil }
        let digits = number.filter { $0 >= "0" && $0 <= "9" }
        return digits.count >= 7 ? "+" + digits : nil
    }
}
