package import JSON

/// Why bytes are no record.
package struct RecordError: Error, Hashable, Sendable {
    /// The member that is wrong, and how.
    package let reason: String
}

/// A record as JSON, the form in which it is stored and sent (the grammar: Wire.docc).
///
///     {"uid": …, "seen": [[replica, counter], …], "sessions": […],
///      "fields": {key: [[replica#, counter, time, session#, value?, creation?, key?], …]}}
///
/// `replica#` and `session#` are places in the lists before; `creation` is `[replica#, counter]` or null. A version
/// without its fifth element has been forgotten. Everything is sorted, so equal records have equal text.
package enum RecordCoding {
    /// The record as a value; equal records give the same text.
    package static func encode(_ record: Record) -> JSONValue { encode(record, withValues: true) }

    private static func encode(_ record: Record, withValues: Bool) -> JSONValue {
        var replicas = Set(record.seen.counters.keys)
        var sessions: Set<String> = []
        for versions in record.fields.values {
            for (dot, version) in versions {
                replicas.insert(dot.replica)
                if let creation = version.creation { replicas.insert(creation.replica) }
                if withValues { sessions.insert(version.session) }
            }
        }
        let replicaList = replicas.sorted()
        let sessionList = sessions.sorted()
        let place = Dictionary(uniqueKeysWithValues: zip(replicaList, replicaList.indices))
        let sessionPlace = Dictionary(uniqueKeysWithValues: zip(sessionList, sessionList.indices))
        func number(_ replica: ReplicaID) -> JSONValue { .number(place[replica] ?? 0) }

        var fields = JSONObject()
        var members: [JSONObject.Member] = []
        for key in record.fields.keys.sorted() {
            let versions = record.fields[key] ?? [:]
            let list = versions.keys.sorted().map { dot -> JSONValue in
                guard let version = versions[dot] else { return .null }
                var parts: [JSONValue] = [number(dot.replica), .number(dot.counter)]
                guard withValues else { return .array(parts) }
                parts.append(.number(version.time.bits))
                parts.append(.number(sessionPlace[version.session] ?? 0))
                guard let value = version.value else {
                    if let creation = version.creation {
                        // A bare dot of an entry still says which entry it was.
                        parts.append(.array([]))
                        parts.append([number(creation.replica), .number(creation.counter)])
                        parts.append(.bool(false))
                    }
                    return .array(parts)
                }
                parts.append(value)
                if version.creation != nil || version.key != nil {
                    parts.append(
                        version.creation.map { [number($0.replica), .number($0.counter)] } ?? .null
                    )
                }
                if let key = version.key { parts.append(.string(key)) }
                return .array(parts)
            }
            members.append(.init(key: key.text.text, value: .array(list)))
        }
        fields = JSONObject(uniqueMembers: members)
        return .object(
            JSONObject(uniqueMembers: [
                .init(key: "uid", value: .string(record.uid.text)),
                .init(
                    key: "seen",
                    value: .array(
                        replicaList.map { [.string($0.hex), .number(record.seen.counters[$0] ?? 0)] }
                    )
                ),
                .init(key: "sessions", value: .array(sessionList.map { .string($0) })),
                .init(key: "fields", value: .object(fields)),
            ])
        )
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
                counter <= UInt64(Int64.max), counters[replica] == nil
            else { throw RecordError(reason: "seen: not [replica, counter]") }
            replicas.append(replica)
            counters[replica] = counter
        }
        record.seen = VersionVector(counters)
        for session in sessions {
            // Ours are 33 characters. ASCII, since Swift takes canonically equivalent texts for one.
            guard let text = session.string, text.utf8.count <= 64, text.utf8.allSatisfy({ $0 < 0x80 }) else {
                throw RecordError(reason: "sessions: not a list of session IDs")
            }
        }
        func dot(_ replica: JSONValue, _ counter: JSONValue) throws(RecordError) -> Dot {
            guard let place = replica.integer, replicas.indices.contains(Int(place)),
                let counter = counter.unsigned, counter > 0, counter <= UInt64(Int64.max)
            else { throw RecordError(reason: "fields: a dot that is none") }
            return Dot(replica: replicas[Int(place)], counter: counter)
        }
        for (name, list) in fields.map({ ($0.key, $0.value) }) {
            guard let list = list.array, !list.isEmpty else {
                throw RecordError(reason: "\(name): no list of versions")
            }
            var versions: [Dot: Version] = [:]
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
                guard versions.updateValue(version, forKey: own) == nil else {
                    throw RecordError(reason: "\(name): one dot twice")
                }
            }
            record.fields[FieldKey(raw: name)] = versions
        }
        return record
    }

    /// The hash of a record's text; without values it covers uid, vector and dots.
    package static func hash(of record: Record, withValues: Bool, _ hash: HashFunction) -> ContentHash {
        hash.hash(JSONWriter.bytes(encode(record, withValues: withValues), .compact))
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
