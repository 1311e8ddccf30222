import JSON
import Replication

extension FileRecord {
    private static let writes: UInt8 = 1
    private static let removes: UInt8 = 2

    /// The form in the store, without stamps: whether there is a known state, what is intended, the states, what is
    /// missing.
    package func encode() -> [UInt8] {
        var out = PackedWriter()
        out.append(known == nil ? 0 : 1)
        switch intention {
        case .write: out.append(Self.writes)
        case .remove: out.append(Self.removes)
        case nil: out.append(0)
        }
        known?.write(to: &out)
        if case .write(let state) = intention { state.write(to: &out) }
        out.append(count: missing.count)
        for item in missing { item.write(to: &out) }
        return out.bytes
    }

    /// Reads what `encode` wrote; nil for anything else.
    ///
    /// - Parameter stamp: the stamp of the known state.
    package static func decode(_ bytes: [UInt8], stamp: FileStamp) -> FileRecord? {
        var reader = PackedReader(bytes)
        guard let isKnown = reader.byte(), isKnown < 2, let intention = reader.byte() else { return nil }
        var out = FileRecord(known: nil)
        if isKnown == 1 {
            guard let known = FileState(&reader, stamp: stamp) else { return nil }
            out.known = known
        }
        switch intention {
        case 0: break
        case removes: out.intention = .remove
        case writes:
            guard let next = FileState(&reader, stamp: .unknown) else { return nil }
            out.intention = .write(next)
        default: return nil
        }
        guard let count = reader.count() else { return nil }
        for _ in 0..<count {
            guard let item = HeldItem(&reader) else { return nil }
            out.missing.append(item)
        }
        return reader.isAtEnd ? out : nil
    }
}

extension FileRecord {
    /// The known state of what `encode` wrote, packed, and the records of each of its items, without reading the rest.
    /// Nil where there is more to know: an intention, something missing, something set aside.
    static func plain(_ bytes: [UInt8]) -> (state: [UInt8], shown: [[UID]])? {
        var reader = PackedReader(bytes)
        guard reader.byte() == 1, reader.byte() == 0 else { return nil }
        let start = reader.at
        guard let shown = FileState.shown(&reader) else { return nil }
        let end = reader.at
        return reader.byte() == 0 && reader.isAtEnd ? (Array(bytes[start..<end]), shown) : nil
    }
}

extension FileStamp {
    /// No file has this one.
    package static let unknown = FileStamp(device: 0, inode: 0, size: -1, modified: 0, changed: 0, mode: 0)

    /// The six numbers as the store keeps them.
    package var numbers: [Int64] {
        [
            Int64(bitPattern: device), Int64(bitPattern: inode), size, modified, changed, Int64(mode),
        ]
    }

    /// Reads what `numbers` gave.
    package init?(numbers: [Int64]) {
        guard numbers.count == 6, let mode = UInt32(exactly: numbers[5]) else { return nil }
        self.init(
            device: UInt64(bitPattern: numbers[0]),
            inode: UInt64(bitPattern: numbers[1]),
            size: numbers[2],
            modified: numbers[3],
            changed: numbers[4],
            mode: mode
        )
    }
}

extension FileState {
    private static let arrayFlag: UInt8 = 1
    private static let flawFlag: UInt8 = 2

    /// The form in which it is kept, without the stamp.
    var packed: [UInt8] {
        var out = PackedWriter()
        write(to: &out)
        return out.bytes
    }

    /// Reads what `packed` gave; nil for anything else.
    init?(packed bytes: [UInt8], stamp: FileStamp) {
        var reader = PackedReader(bytes)
        self.init(&reader, stamp: stamp)
    }

    fileprivate func write(to out: inout PackedWriter) {
        let hasFlaw = !flaws.isEmpty || aside != nil
        out.append((isArray ? Self.arrayFlag : 0) | (hasFlaw ? Self.flawFlag : 0))
        out.append(bytes)
        out.append(count: items.count)
        for item in items { item.write(to: &out) }
        guard hasFlaw else { return }
        let rare: JSONValue = [.array(flaws.map(\.json)), aside?.json ?? .null]
        out.append(JSONWriter.text(rare))
    }

    /// The records of each item; nil where anything is set aside.
    fileprivate static func shown(_ reader: inout PackedReader) -> [[UID]]? {
        guard let flags = reader.byte(), flags & ~arrayFlag == 0, reader.skip(16), let count = reader.count()
        else { return nil }
        var shown: [[UID]] = []
        shown.reserveCapacity(count)
        for _ in 0..<count {
            guard let uids = HeldItem.shown(&reader) else { return nil }
            shown.append(uids)
        }
        return shown
    }

    fileprivate init?(_ reader: inout PackedReader, stamp: FileStamp) {
        guard let flags = reader.byte(), flags <= Self.arrayFlag | Self.flawFlag, let bytes = reader.hash(),
            let count = reader.count()
        else { return nil }
        self.init(stamp: stamp, bytes: bytes, isArray: flags & Self.arrayFlag != 0, items: [])
        items.reserveCapacity(count)
        for _ in 0..<count {
            guard let item = HeldItem(&reader) else { return nil }
            items.append(item)
        }
        guard flags & Self.flawFlag != 0 else { return }
        guard let rare = reader.json()?.array, rare.count == 2 else { return nil }
        flaws = (rare[0].array ?? []).map { Flaw(json: $0) }
        aside = rare[1].isNull ? nil : Flaw(json: rare[1])
    }
}

extension HeldItem {
    private static let plainFlag: UInt8 = 1
    private static let writtenFlag: UInt8 = 2
    private static let othersFlag: UInt8 = 4
    /// What is written is the uid of the record, as nearly always.
    private static let ownFlag: UInt8 = 8
    private static let roles: [Role] = [.own, .copy, .apart]
    private static let roleShift: UInt8 = 4

    fileprivate func write(to out: inout PackedWriter) {
        let hasOthers = uids != [uid]
        let writtenFlag = written.map { $0.isExactly(uid.text) ? Self.ownFlag : Self.writtenFlag } ?? 0
        let flags = (isPlain ? Self.plainFlag : 0) | writtenFlag | (hasOthers ? Self.othersFlag : 0)
        out.append(flags | UInt8(Self.roles.firstIndex(of: role) ?? 0) << Self.roleShift)
        out.append(uid.text)
        out.append(content)
        if let written, writtenFlag == Self.writtenFlag { out.append(written) }
        if hasOthers { out.append(uids) }
    }

    /// The records that it shows.
    fileprivate static func shown(_ reader: inout PackedReader) -> [UID]? {
        guard let flags = reader.byte(), roles.indices.contains(Int(flags >> roleShift)),
            let uid = reader.text(), reader.skip(16)
        else { return nil }
        // A damaged row must not be found out later.
        if flags & writtenFlag != 0, reader.text() == nil { return nil }
        guard flags & othersFlag != 0 else { return [UID(uid)] }
        return reader.uids().flatMap { $0.isEmpty ? nil : $0 }
    }

    fileprivate init?(_ reader: inout PackedReader) {
        guard let flags = reader.byte(), Self.roles.indices.contains(Int(flags >> Self.roleShift)),
            let uid = reader.text().map({ UID($0) }), let content = reader.hash()
        else { return nil }
        self.init(
            uid: uid,
            uids: [uid],
            content: content,
            isPlain: flags & Self.plainFlag != 0,
            written: flags & Self.ownFlag == 0 ? nil : uid.text,
            role: Self.roles[Int(flags >> Self.roleShift)]
        )
        if flags & Self.writtenFlag != 0 {
            guard let written = reader.text() else { return nil }
            self.written = written
        }
        if flags & Self.othersFlag != 0 {
            guard let uids = reader.uids(), !uids.isEmpty else { return nil }
            self.uids = uids
        }
    }
}

extension Flaw {
    fileprivate var json: JSONValue {
        [
            item.map { .number($0) } ?? .null, line.map { .number($0) } ?? .null,
            column.map { .number($0) } ?? .null,
            .string(reason),
        ]
    }

    fileprivate init(json: JSONValue) {
        let parts = json.array ?? []
        func number(_ at: Int) -> Int? { parts.count > at ? parts[at].integer.map { Int($0) } : nil }
        self.init(
            item: number(0),
            line: number(1),
            column: number(2),
            reason: parts.count > 3 ? parts[3].string ?? "" : ""
        )
    }
}
