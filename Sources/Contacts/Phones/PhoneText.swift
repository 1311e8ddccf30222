/// What may be dialled of a text in a phone field, by rules of ours, before the number plans of the world judge it.
///
/// libphonenumber reads three letters as keypad digits, glues two numbers into one and knows few words for an
/// extension. So it is given digits only, and a text that may mean something else has no `PhoneText`.
package struct PhoneText: Hashable, Sendable {
    /// One way to read the text.
    package struct Reading: Hashable, Sendable {
        /// ASCII digits, with a leading `+` if the number is written internationally.
        package let digits: String
        /// How sure it is that letters are a word to be dialled on the keypad (ITU-T E.161).
        package let vanity: Vanity
    }

    /// What letters in a number say.
    package enum Vanity: Hashable, Sendable {
        /// There are none.
        case none
        /// In capitals: a word to be dialled if the number is one that companies advertise, or a North American one.
        case capitals
        /// Other letters, tied to the digits: to be dialled in North America only, where numbers have one length.
        case tied
    }

    /// The readings, the likelier first; the first that is valid counts.
    package let readings: [Reading]
    /// Parts that must not be valid numbers by themselves, else the text is two numbers.
    package let notNumbers: [String]
    /// Parts that must not both be valid numbers.
    package let notBothNumbers: [[String]]
    /// The digits of the extension, or to be dialled after the connection; may be empty.
    package let extensionDigits: String

    /// The longest text that is looked at, in UTF-8 bytes; libphonenumber's own limit is 250 characters.
    package static let maxBytes = 500

    /// The longest extension, in digits; RFC 3966 sets none, libphonenumber reads 20, conference codes have more.
    static let maxExtension = 32

    /// Nil for service codes, for two numbers, and for whatever is in doubt.
    package init?(_ text: String, region: String?) {
        guard text.utf8.count <= Self.maxBytes, let uri = TelephoneURI(PhoneCharacters.plain(text)) else {
            return nil
        }
        var tokens = PhoneToken.split(PhoneCharacters.withoutCarrierBlank(uri.number, region: region))
        PhoneRemarks.dropGroups(&tokens)
        guard PhoneRemarks.dropBefore(&tokens), let tail = PhoneTail(cuttingFrom: &tokens),
            let body = PhoneBody(tokens)
        else { return nil }
        let own = tail.digits + uri.extensionDigits
        guard own.utf8.count <= Self.maxExtension else { return nil }
        readings = body.readings.compactMap { uri.placed($0, region: region) }
        notNumbers = body.notNumbers + tail.notNumbers
        notBothNumbers = body.notBothNumbers
        extensionDigits = own
        if readings.isEmpty { return nil }
    }
}
