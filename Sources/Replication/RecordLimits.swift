import JSON

/// What a record may hold, wherever it comes from. Each bound is far above any real contact, and low enough that reading,
/// joining and judging one record never takes long.
///
/// Who sends keeps to them too (`flaw(in:)`): a record that grew beyond one stays on its machine, which says so, and two
/// machines that mean well are never set against each other by a third that does not.
package enum RecordLimits {
    /// Levels of arrays and objects in a record's JSON: a card's 64 and what a record wraps around a value.
    package static let depth = 80
    /// The first counter that nobody may have: 2^53, up to where every JSON reader counts in whole steps (RFC 7493, 2.2).
    /// At a million writes a second it is reached after 285 years.
    package static let counter: UInt64 = 1 << 53
    /// UTF-8 bytes of a uid: far more than a UUID or a URI of those that make them.
    package static let uidBytes = 4096
    /// UTF-8 bytes of a field's key: an entry's own text may stand in it, and so may a uid.
    package static let keyBytes = 65_536
    /// UTF-8 bytes of a phone key: what libphonenumber reads has 250 characters.
    package static let phoneKeyBytes = 512
    /// UTF-8 bytes of a session ID; ours have 33.
    package static let sessionBytes = 64
    /// Replicas in a vector: starts of daemons that wrote to this record. A start a day on five machines, for 20 years.
    package static let replicas = 40_000
    /// Fields of a record: a group with so many members.
    package static let fields = 10_000
    /// Versions of one field: concurrent values of as many machines.
    package static let versionsOfField = 1000
    /// Versions of all fields together.
    package static let versions = 20_000
    /// Bytes of all texts in a record's values: what fits a frame with what is around it.
    package static let bytes = 12 << 20

    /// Bytes of a record's text up to which no limit but the uid's can be exceeded: a version has 10 at least.
    package static let soundTextBytes = 10 * versionsOfField

    /// What is too much in a record; nil if nothing is.
    package static func flaw(in record: Record) -> String? {
        if record.uid.text.utf8.count > uidBytes { return "its uid has more than \(uidBytes) bytes" }
        if record.seen.counters.count > replicas { return "more than \(replicas) replicas wrote it" }
        if record.fields.count > fields { return "it has more than \(fields) fields" }
        var (count, size) = (0, 0)
        for (key, versions) in record.fields {
            if key.text.text.utf8.count > keyBytes { return "a field's key has more than \(keyBytes) bytes" }
            if versions.count > versionsOfField { return "a field has more than \(versionsOfField) versions" }
            count += versions.count
            for version in versions.values {
                size += version.value?.textBytes ?? 0
                guard version.key?.utf8.count ?? 0 <= phoneKeyBytes else {
                    return "a phone key has more than \(phoneKeyBytes) bytes"
                }
            }
        }
        if count > self.versions { return "it has more than \(self.versions) versions" }
        if size > bytes { return "it has more than \(bytes >> 20) MiB" }
        return nil
    }
}

extension JSONValue {
    /// About the bytes of its text.
    fileprivate var textBytes: Int {
        switch self {
        case .null, .bool: 4
        case .number(let text): text.utf8.count
        case .string(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + $1.textBytes + 1 }
        case .object(let object): object.members.reduce(2) { $0 + $1.key.utf8.count + $1.value.textBytes + 4 }
        }
    }
}
