package import JSON
import Replication

extension FileRecord {
    /// The form in the store, without stamps: `{"known": …, "next": … or false, "missing"?: […]}`.
    package func encode() -> [UInt8] {
        var out = JSONWriter()
        if let known {
            out.raw("{\"known\":")
            known.write(to: &out)
        }
        switch intention {
        case .write(let state):
            known == nil ? out.raw("{\"next\":") : out.raw(",\"next\":")
            state.write(to: &out)
        case .remove:
            known == nil ? out.raw("{\"next\":false") : out.raw(",\"next\":false")
        case nil:
            if known == nil { out.raw("{") }
        }
        if !missing.isEmpty {
            known == nil && intention == nil ? out.raw("\"missing\":[") : out.raw(",\"missing\":[")
            HeldItem.write(missing, to: &out)
            out.raw("]")
        }
        out.raw("}")
        return out.bytes
    }

    /// Reads what `encode` wrote; nil for anything else.
    ///
    /// - Parameter stamp: the stamp of the known state.
    package static func decode(_ value: JSONValue, stamp: FileStamp) -> FileRecord? {
        guard let object = value.object else { return nil }
        var out = FileRecord(known: nil)
        if let known = object["known"] {
            guard let state = FileState(json: known, stamp: stamp) else { return nil }
            out.known = state
        }
        if let next = object["next"] {
            if next.bool == false {
                out.intention = .remove
            } else if let state = FileState(json: next, stamp: .unknown) {
                out.intention = .write(state)
            } else {
                return nil
            }
        }
        for item in object["missing"]?.array ?? [] {
            guard let item = HeldItem(json: item) else { return nil }
            out.missing.append(item)
        }
        return out
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
    /// `{"bytes": hash, "array": …, "items": [item…], "flaws"?, "aside"?}`.
    fileprivate func write(to out: inout JSONWriter) {
        out.raw("{\"bytes\":")
        out.write(bytes)
        isArray ? out.raw(",\"array\":true,\"items\":[") : out.raw(",\"array\":false,\"items\":[")
        HeldItem.write(items, to: &out)
        out.raw("]")
        if !flaws.isEmpty {
            out.raw(",\"flaws\":")
            out.write(.array(flaws.map(\.json)))
        }
        if let aside {
            out.raw(",\"aside\":")
            out.write(aside.json)
        }
        out.raw("}")
    }

    fileprivate init?(json: JSONValue, stamp: FileStamp) {
        guard let object = json.object, let bytes = object["bytes"]?.string.flatMap(ContentHash.init(hex:)),
            let isArray = object["array"]?.bool, let items = object["items"]?.array
        else { return nil }
        self.init(stamp: stamp, bytes: bytes, isArray: isArray, items: [])
        for item in items {
            guard let item = HeldItem(json: item) else { return nil }
            self.items.append(item)
        }
        flaws = (object["flaws"]?.array ?? []).map { Flaw(json: $0) }
        aside = object["aside"].map { Flaw(json: $0) }
    }
}

extension HeldItem {
    /// The elements of an array: `[uid, [uid…], content, is plain, written or null, role]` each.
    fileprivate static func write(_ items: [HeldItem], to out: inout JSONWriter) {
        for (n, item) in items.enumerated() {
            out.raw(n > 0 ? ",[" : "[")
            out.write(item.uid.text)
            out.raw(",[")
            for (n, uid) in item.uids.enumerated() {
                if n > 0 { out.raw(",") }
                out.write(uid.text)
            }
            out.raw("],")
            out.write(item.content)
            item.isPlain ? out.raw(",true,") : out.raw(",false,")
            if let written = item.written { out.write(written) } else { out.raw("null") }
            out.raw(",")
            out.write(item.role.rawValue)
            out.raw("]")
        }
    }

    fileprivate init?(json: JSONValue) {
        guard let parts = json.array, parts.count == 6, let uid = parts[0].string,
            let uids = parts[1].array?.compactMap(\.string), !uids.isEmpty,
            let content = parts[2].string.flatMap(ContentHash.init(hex:)), let isPlain = parts[3].bool,
            let role = parts[5].string.flatMap(HeldItem.Role.init(rawValue:))
        else { return nil }
        self.init(
            uid: UID(uid),
            uids: uids.map { UID($0) },
            content: content,
            isPlain: isPlain,
            written: parts[4].string,
            role: role
        )
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
