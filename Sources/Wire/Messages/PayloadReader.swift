import JSON
import Replication

/// Reads the members of one payload and says which of them is wrong.
struct PayloadReader {
    private let kind: FrameKind
    private let object: JSONObject

    init(_ kind: FrameKind, _ value: JSONValue) throws(WireError) {
        guard let object = value.object else { throw .malformed(kind, reason: "no object") }
        self.kind = kind
        self.object = object
    }

    func wrong(_ member: String, _ expected: String) -> WireError {
        .malformed(kind, reason: "\(member) is not \(expected)")
    }

    func member(_ name: String) throws(WireError) -> JSONValue {
        guard let value = object[name] else { throw .malformed(kind, reason: "\(name) is missing") }
        return value
    }

    /// Whether a member that may be left out is there.
    func has(_ name: String) -> Bool { object[name] != nil }

    func text(_ name: String, limit: Int) throws(WireError) -> String {
        guard let text = try member(name).string, text.utf8.count <= limit else {
            throw wrong(name, "text of at most \(limit) bytes")
        }
        return text
    }

    /// Why the sender closes, as it may be shown.
    func reason() throws(WireError) -> String {
        Reason.line(try text("reason", limit: WireLimits.reasonBytes))
    }

    func book() throws(WireError) -> String { try text("book", limit: WireLimits.nameBytes) }

    /// A whole number within what SQLite and Swift's `Int` hold.
    func number(_ name: String) throws(WireError) -> UInt64 {
        guard let number = try member(name).unsigned, number <= UInt64(Int64.max) else {
            throw wrong(name, "a whole number")
        }
        return number
    }

    func count(_ name: String) throws(WireError) -> Int { Int(try number(name)) }

    func bool(_ name: String) throws(WireError) -> Bool {
        guard let value = try member(name).bool else { throw wrong(name, "true or false") }
        return value
    }

    func list(_ name: String, limit: Int) throws(WireError) -> [JSONValue] {
        guard let list = try member(name).array else { throw wrong(name, "a list") }
        guard list.count <= limit else { throw .tooMany(kind, limit: limit) }
        return list
    }

    /// Records as they are, to be decoded where they are needed.
    func records(_ name: String, limit: Int) throws(WireError) -> [RecordForm] {
        try list(name, limit: limit).map { .value($0) }
    }

    func hash(_ name: String) throws(WireError) -> ContentHash {
        guard let hash = try member(name).string.flatMap(ContentHash.init(wire:)) else {
            throw wrong(name, "a hash")
        }
        return hash
    }

    func position(_ name: String) throws(WireError) -> FeedPosition {
        guard let position = try member(name).object, let seq = position["seq"]?.unsigned,
            seq <= UInt64(Int64.max), let mark = position["mark"]?.string.flatMap(UInt64.init(wire:))
        else { throw wrong(name, "a position") }
        return FeedPosition(seq: seq, mark: mark)
    }

    func uids(_ name: String, limit: Int) throws(WireError) -> [UID] {
        var uids: [UID] = []
        for item in try list(name, limit: limit) {
            guard let uid = item.string else { throw wrong(name, "a list of uids") }
            uids.append(UID(uid))
        }
        return uids
    }
}

extension UInt64 {
    /// Reads 16 lower-case hexadecimal digits and nothing else; Swift's own reading allows a sign and capitals.
    init?(wire text: String) {
        guard text.utf8.count == 16, text.utf8.allSatisfy(\.isLowerHex) else { return nil }
        self.init(text, radix: 16)
    }
}

extension ContentHash {
    /// Reads 32 lower-case hexadecimal digits and nothing else.
    init?(wire text: String) {
        guard text.utf8.allSatisfy(\.isLowerHex) else { return nil }
        self.init(hex: text)
    }
}

extension UInt8 {
    /// Whether this is one of `0123456789abcdef`.
    var isLowerHex: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
