package import JSON

/// Names for the files that the daemon makes.
package enum FileName {
    /// The longest file name, in bytes.
    static let maxLength = 255

    /// How many digits of the uid's hash tell two contacts of one name apart at first; more if that is taken too.
    static let hashDigits = 8

    /// A name such as `Ana Holm.json`, free and safe on every machine the directory may be copied to.
    ///
    /// `shown` is the contact's name, or what stands for it (an organisation, a number); where nothing of it can
    /// stand in a file name, it is `contact`. `isTaken` is asked with the `folded` form of the full name. The
    /// uid is never part of the name, only its hash is, and only where the name alone is taken.
    package static func make(
        shown: String?,
        uid: String,
        hash: HashFunction,
        isTaken: (_ folded: String) -> Bool
    ) -> String {
        let wanted = safe(shown ?? "")
        let plain =
            wanted.prefix(bytes: maxLength - BookFolder.suffix.utf8.count).trimmingEnd() + BookFolder.suffix
        if isFit(plain), !isTaken(folded(plain)) { return plain }
        let digits = hash.hash(Array(uid.utf8)).hex
        var number = 1
        while true {
            // After the whole hash, which only files that people named can take, numbers.
            let tail =
                switch number {
                case 1: " " + digits.prefix(hashDigits)
                case 2: " " + digits
                default: " \(digits)-\(number)"
                }
            let room = maxLength - BookFolder.suffix.utf8.count - tail.utf8.count
            let name = wanted.prefix(bytes: room).trimmingEnd() + tail + BookFolder.suffix
            if !isTaken(folded(name)) { return name }
            number += 1
        }
    }

    /// The form in which names are compared where case must make no difference.
    package static func folded(_ name: String) -> String { name.lowercased() }

    private static func isFit(_ name: String) -> Bool { BookFolder.isCandidate(name) }

    /// The text without what some file system or shell takes for something else. Spellings stay as they are given.
    private static func safe(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let next = replacement(scalar)
            // Runs of blanks become one, none at the start; no dot there either, it would hide the file.
            if next == " ", safe.last == nil || safe.last == " " { continue }
            if next == ".", safe.isEmpty { continue }
            if let next { safe.append(next) }
        }
        let name = String(safe).trimmingEnd()
        if name.isEmpty { return "contact" }
        // With a hyphen in front programs take it for an option: `rm *`.
        return isDevice(name) || name.hasPrefix("-") ? "_" + name : name
    }

    /// What stands for a code point; nil where it is left out.
    private static func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        // Of most letters of most names nothing more need be asked.
        case "a"..."z", "A"..."Z", "0"..."9", " ", ".": return scalar
        case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": return "-"
        // Joiners are part of emoji and of Persian and Indian words; direction marks only make names lie.
        case "\u{200C}", "\u{200D}": return scalar
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: return " "
        case .format, .unassigned, .privateUse, .surrogate:
            // Tags, as in the flags of England and Scotland, are format characters too.
            return (0xE0020...0xE007F).contains(scalar.value) ? scalar : nil
        default: return scalar
        }
    }

    /// Names that Windows keeps for devices, also before a dot.
    private static func isDevice(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." }.trimmingEnd().lowercased()
        if ["con", "prn", "aux", "nul"].contains(stem) { return true }
        return stem.count == 4 && (stem.hasPrefix("com") || stem.hasPrefix("lpt"))
            && stem.last?.isNumber == true
    }
}
