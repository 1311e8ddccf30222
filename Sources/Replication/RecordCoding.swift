package import JSON

/// Why bytes are no record.
package struct RecordError: Error, Hashable, Sendable {
    /// The member that is wrong, and how.
    package let reason: String

    package init(reason: String) { self.reason = reason }
}

/// A record as JSON, the form in which it is stored and sent (the grammar: Wire.docc).
///
///     {"uid": …, "seen": [[replica, counter], …], "sessions": […],
///      "fields": {key: [[replica#, counter, time, session#, value?, creation?, key?], …]}}
///
/// `replica#` and `session#` are places in the lists before; `creation` is `[replica#, counter]` or null. A version
/// without its fifth element has been forgotten. Everything is sorted, so equal records have equal text.
package enum RecordCoding {
    /// The text of a record; equal records have equal texts.
    package static func bytes(_ record: Record) -> [UInt8] { bytes(record, withValues: true) }

    /// The record as a value.
    package static func encode(_ record: Record) -> JSONValue {
        do { return try JSONReader.value(bytes(record), maxDepth: RecordLimits.depth) } catch {
            preconditionFailure("what we wrote is JSON: \(error)")
        }
    }

    /// Written in parts and not as a value: a book that is read first writes every record at once.
    private static func bytes(_ record: Record, withValues: Bool) -> [UInt8] {
        var replicas = ListOf<ReplicaID>()
        var sessions = ListOf<ExactString>()
        for replica in record.seen.counters.keys { replicas.note(replica) }
        for versions in record.fields.values {
            for (dot, version) in versions {
                replicas.note(dot.replica)
                if let creation = version.creation { replicas.note(creation.replica) }
                if withValues { sessions.note(ExactString(version.session)) }
            }
        }
        replicas.sort()
        sessions.sort()

        var out = JSONWriter(capacity: 2048)
        func write(_ dot: Dot) {
            out.write(UInt64(replicas.place(of: dot.replica)))
            out.raw(",")
            out.write(dot.counter)
        }
        out.raw("{\"uid\":")
        out.write(record.uid.text)
        out.raw(",\"seen\":[")
        for (n, replica) in replicas.list.enumerated() {
            out.raw(n > 0 ? ",[" : "[")
            out.write(hex: replica.bits)
            out.raw(",")
            out.write(record.seen.counters[replica] ?? 0)
            out.raw("]")
        }
        out.raw("],\"sessions\":[")
        for (n, session) in sessions.list.enumerated() {
            if n > 0 { out.raw(",") }
            out.write(session.text)
        }
        out.raw("],\"fields\":{")
        for (n, field) in record.fields.enumerated() {
            if n > 0 { out.raw(",") }
            out.write(field.key.text.text)
            out.raw(":[")
            for (n, (dot, version)) in field.value.enumerated() {
                out.raw(n > 0 ? ",[" : "[")
                write(dot)
                if withValues {
                    out.raw(",")
                    out.write(version.time.bits)
                    out.raw(",")
                    out.write(UInt64(sessions.place(of: ExactString(version.session))))
                    write(version)
                }
                out.raw("]")
            }
            out.raw("]")
        }
        out.raw("}}")
        return out.bytes

        /// Value, creation and key, as far as there are any.
        func write(_ version: Version) {
            guard let value = version.value else {
                // A bare dot of an entry still says which entry it was.
                if let creation = version.creation {
                    out.raw(",[],[")
                    write(creation)
                    out.raw("],false")
                }
                return
            }
            out.raw(",")
            out.write(value)
            if let creation = version.creation {
                out.raw(",[")
                write(creation)
                out.raw("]")
            } else if version.key != nil {
                out.raw(",null")
            }
            if let key = version.key {
                out.raw(",")
                out.write(key)
            }
        }
    }

    /// A few different things, each with its place: a record knows one or two replicas and sessions.
    private struct ListOf<Element: Comparable & Hashable> {
        private(set) var list: [Element] = []
        private var places: [Element: Int] = [:]
        private static var few: Int { 8 }

        mutating func note(_ element: Element) {
            if list.last == element { return }
            if list.count <= Self.few {
                if !list.contains(element) { list.append(element) }
            } else {
                if places.isEmpty { for known in list { places[known] = 0 } }
                if places.updateValue(0, forKey: element) == nil { list.append(element) }
            }
        }

        mutating func sort() {
            list.sort()
            places = list.count <= Self.few ? [:] : Dictionary(uniqueKeysWithValues: zip(list, list.indices))
        }

        func place(of element: Element) -> Int {
            (places.isEmpty ? list.firstIndex(of: element) : places[element]) ?? 0
        }
    }

    /// Reads what `encode` wrote. Checks what every record holds to: dots are seen, counters and lists are sound.
    package static func decode(_ value: JSONValue) throws(RecordError) -> Record {
        guard let object = value.object, let uid = object["uid"]?.string, let seen = object["seen"]?.array,
            let sessions = object["sessions"]?.array, let fields = object["fields"]?.object
        else { throw RecordError(reason: "uid, seen, sessions or fields is missing") }
        var record = Record(uid: UID(uid))
        var replicas: [ReplicaID] = []
        var counters: [ReplicaID: UInt64] = [:]
        for pair in seen {
            guard let pair = pair.array, pair.count == 2, let hex = pair[0].string,
                let replica = ReplicaID(hex: hex), let counter = pair[1].unsigned,
                counters[replica] == nil
            else { throw RecordError(reason: "seen: not [replica, counter]") }
            guard counter < RecordLimits.counter else {
                throw RecordError(reason: "seen: a counter of 2^53 or more")
            }
            replicas.append(replica)
            counters[replica] = counter
        }
        record.seen = VersionVector(counters)
        for session in sessions {
            // Ours are 33 characters. ASCII, since Swift takes canonically equivalent texts for one.
            guard let text = session.string, text.utf8.count <= RecordLimits.sessionBytes,
                text.utf8.allSatisfy({ $0 < 0x80 })
            else {
                throw RecordError(reason: "sessions: not a list of session IDs")
            }
        }
        func dot(_ replica: JSONValue, _ counter: JSONValue) throws(RecordError) -> Dot {
            guard let place = replica.integer, replicas.indices.contains(Int(place)),
                let counter = counter.unsigned, counter > 0, counter < RecordLimits.counter
            else { throw RecordError(reason: "fields: a dot that is none") }
            return Dot(replica: replicas[Int(place)], counter: counter)
        }
        for (name, list) in fields.map({ ($0.key, $0.value) }) {
            guard let list = list.array, !list.isEmpty else {
                throw RecordError(reason: "\(name): no list of versions")
            }
            var versions = Versions()
            for item in list {
                guard let parts = item.array, (4...7).contains(parts.count), let time = parts[2].unsigned,
                    let place = parts[3].integer, sessions.indices.contains(Int(place)),
                    let session = sessions[Int(place)].string
                else { throw RecordError(reason: "\(name): not [replica, counter, time, session, value]") }
                let own = try dot(parts[0], parts[1])
                guard record.seen.contains(own) else {
                    throw RecordError(reason: "\(name): a dot that was not seen")
                }
                var version = Version(time: HybridTime(bits: time), session: session, value: nil)
                if parts.count > 5, !parts[5].isNull {
                    guard let pair = parts[5].array, pair.count == 2 else {
                        throw RecordError(reason: "\(name): creation is no dot")
                    }
                    version.creation = try dot(pair[0], pair[1])
                }
                let bare = parts.count == 7 && parts[6].bool == false
                if parts.count > 4, !bare { version.value = parts[4] }
                if parts.count == 7, !bare {
                    guard let key = parts[6].string else {
                        throw RecordError(reason: "\(name): key is no text")
                    }
                    version.key = key
                }
                // As they are written in order, nothing has to be moved for what comes next, however many there are.
                guard versions.last.map({ $0.key < own }) ?? true else {
                    throw RecordError(reason: "\(name): one dot twice, or dots out of order")
                }
                versions[own] = version
            }
            record.fields[FieldKey(raw: name)] = versions
        }
        return record
    }

    /// The hash of a record's text without its values: uid, vector and dots.
    static func hashOfDots(_ record: Record, _ hash: HashFunction) -> ContentHash {
        hash.hash(bytes(record, withValues: false))
    }

    /// The hash of one version's text.
    static func hash(of version: Version, _ hash: HashFunction) -> ContentHash {
        let parts: JSONValue = [
            .number(version.time.bits), .string(version.session), version.value ?? .null,
            .bool(version.value == nil), version.key.map { .string($0) } ?? .null,
            version.creation.map { [.string($0.replica.hex), .number($0.counter)] } ?? .null,
        ]
        return hash.hash(JSONWriter.bytes(parts, .compact))
    }
}
