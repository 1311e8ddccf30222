package import JSON

/// The name of one field of a record.
///
/// A whole top-level member is `member`; an entry of a map or a set is `member/entry`. Names that begin with `@`
/// are ours (`@alive`, `@deleted`, `@same/…`, `@distinct/…`, `@shared/…`); a member of a card that begins so, or
/// that holds `/` or `~`, is escaped (`~2` for a leading `@`, `~1`, `~0`), so that no card can forge one.
package struct FieldKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The escaped text, as it is stored and sent.
    package let text: ExactString
    /// How many bytes of it are the member's; all of them where there is no entry.
    private let memberLength: Int

    /// Takes text as `text` gave it.
    package init(raw: String) {
        text = ExactString(raw)
        var raw = raw
        memberLength = raw.withUTF8 { unsafe $0.firstIndex(of: UInt8(ascii: "/")) ?? $0.count }
    }

    /// A member of a card, or one entry of it.
    package init(member: String, entry: String? = nil) {
        let name = Self.escaped(member)
        memberLength = name.utf8.count
        text = ExactString(entry.map { name + "/" + $0 } ?? name)
    }

    private static func escaped(_ member: String) -> String {
        let special = [UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: "@")]
        if !member.utf8.contains(where: special.contains) { return member }
        var name = ""
        for (n, character) in member.unicodeScalars.enumerated() {
            switch character {
            case "~": name += "~0"
            case "/": name += "~1"
            case "@" where n == 0: name += "~2"
            default: name.unicodeScalars.append(character)
            }
        }
        return name
    }

    package static func == (a: FieldKey, b: FieldKey) -> Bool { a.text == b.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    package var description: String { text.text }

    /// Whether the field is the daemon's own and no part of a card.
    package var isOwn: Bool { text.text.utf8.first == UInt8(ascii: "@") }

    /// The member's name as the card writes it.
    package var member: String {
        let utf8 = text.text.utf8
        let name = String(text.text[..<utf8.index(utf8.startIndex, offsetBy: memberLength)])
        guard name.utf8.contains(UInt8(ascii: "~")) else { return name }
        var out = String.UnicodeScalarView()
        var escaped = false
        for character in name.unicodeScalars {
            if escaped {
                out.append(character == "0" ? "~" : character == "1" ? "/" : "@")
                escaped = false
            } else if character == "~" {
                escaped = true
            } else {
                out.append(character)
            }
        }
        return String(out)
    }

    /// The entry's name, nil for a whole member.
    package var entry: String? {
        guard hasEntry else { return nil }
        let utf8 = text.text.utf8
        return String(text.text[utf8.index(utf8.startIndex, offsetBy: memberLength + 1)...])
    }

    /// Whether it is one entry of a member.
    package var hasEntry: Bool { memberLength < text.text.utf8.count }

    /// Whether it is the member of that name, or an entry of it; the name is one that needs no escape.
    package func isOf(_ member: StaticString) -> Bool {
        guard memberLength == member.utf8CodeUnitCount else { return false }
        var text = text.text
        return text.withUTF8 { mine in
            member.withUTF8Buffer { unsafe mine.prefix($0.count).elementsEqual($0) }
        }
    }

    /// Whether both are of one member.
    package func isOfMember(of other: FieldKey) -> Bool {
        guard memberLength == other.memberLength else { return false }
        var (mine, theirs) = (text.text, other.text.text)
        return mine.withUTF8 { a in
            theirs.withUTF8 { b in
                unsafe a.prefix(memberLength).elementsEqual(b.prefix(memberLength))
            }
        }
    }

    package static func < (a: FieldKey, b: FieldKey) -> Bool { a.text < b.text }

    package static let alive = FieldKey(raw: "@alive")
    package static let deleted = FieldKey(raw: "@deleted")
    /// What people joined, on the greater uid.
    package static func same(_ uid: UID) -> FieldKey { FieldKey(raw: "@same/" + uid.text) }
    /// What people told apart, on the greater uid.
    package static func distinct(_ uid: UID) -> FieldKey { FieldKey(raw: "@distinct/" + uid.text) }
    /// Whether a number belongs to no one in particular, in the book's own record.
    package static func shared(_ key: String) -> FieldKey { FieldKey(raw: "@shared/" + key) }
}

/// The identity of a record; any text, never a path. The empty one is the book's own record.
package typealias UID = ExactString

extension UID {
    /// The record of the book itself.
    package static let book = UID("")
    /// Whether this names the book's own record.
    package var isBook: Bool { text.utf8.isEmpty }
}
