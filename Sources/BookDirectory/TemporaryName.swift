import JSON

/// A name of ours in a book's directory, telling a later start what lies under it.
///
/// All begin with a dot, so neither we nor others read them as contacts. The hashes in it are what makes a crash
/// harmless: an exchange turns a file with new bytes into one with old bytes under one name, and only the content
/// says whether it has happened.
struct TemporaryName: Hashable {
    /// What the name was made for.
    enum Purpose: Hashable {
        /// Bytes that are still being written; worthless after a crash.
        case unfinished
        /// Complete bytes to be swapped in, or what came out of the swap.
        case swap(intended: ContentHash, expected: ContentHash)
        /// A file moved away to be removed.
        case removed(expected: ContentHash)
    }

    /// Of all our names but the marker.
    static let prefix = ".contactsync-"
    static let unfinishedPrefix = prefix + "new-"

    var purpose: Purpose
    /// The hash of the name it stands beside; names themselves may be too long to be part of another.
    var target: ContentHash
    /// Tells those of one target apart.
    var serial: Int

    /// The name as the directory has it.
    var text: String {
        let words =
            switch purpose {
            case .unfinished: ["new", target.hex]
            case .swap(let intended, let expected): ["swap", target.hex, intended.hex, expected.hex]
            case .removed(let expected): ["gone", target.hex, expected.hex]
            }
        return Self.prefix + words.joined(separator: "-") + "-\(serial)"
    }

    init(_ purpose: Purpose, target: ContentHash, serial: Int = 0) {
        self.purpose = purpose
        self.target = target
        self.serial = serial
    }

    /// Reads what `text` made; nil for other names.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let words = text.dropFirst(Self.prefix.count).split(separator: "-").map { String($0) }
        let hashes = words.dropFirst().dropLast().compactMap { ContentHash(hex: $0) }
        guard let first = words.first, let last = words.last, let serial = Int(last),
            let target = hashes.first,
            hashes.count == words.count - 2
        else { return nil }
        switch (first, hashes.count) {
        case ("new", 1): self.init(.unfinished, target: target, serial: serial)
        case ("swap", 3):
            self.init(.swap(intended: hashes[1], expected: hashes[2]), target: target, serial: serial)
        case ("gone", 2): self.init(.removed(expected: hashes[1]), target: target, serial: serial)
        default: return nil
        }
    }
}
