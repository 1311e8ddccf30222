package import JSON

/// One value under one dot.
///
/// Two are equal if their texts are: a value that means the same but is written otherwise has another hash, and two
/// machines must not take for equal what their digests tell apart.
package struct Version: Hashable, Sendable {
    /// When it was written; `zero` where a first scan found it.
    package var time: HybridTime
    /// The session that wrote it: 16 hex digits of the device, a dash, 16 random ones.
    package var session: String
    /// The value; nil once it is forgotten (a bare dot).
    package var value: JSONValue?
    /// The dot that first created the entry, for entries of Id maps; nil where that is this dot itself.
    package var creation: Dot?
    /// The key of a phone number, computed where it was entered; nil for what has none.
    package var key: String?

    package init(
        time: HybridTime,
        session: String,
        value: JSONValue?,
        creation: Dot? = nil,
        key: String? = nil
    ) {
        self.time = time
        self.session = session
        self.value = value
        self.creation = creation
        self.key = key
    }

    /// What is left when the value is forgotten: a bare dot.
    var forgotten: Version {
        var bare = self
        bare.value = nil
        bare.key = nil
        return bare
    }

    package static func == (a: Version, b: Version) -> Bool {
        guard a.time == b.time, a.session.isExactly(b.session), a.creation == b.creation else { return false }
        switch (a.key, b.key) {
        case (nil, nil): break
        case (let x?, let y?) where x.isExactly(y): break
        default: return false
        }
        switch (a.value, b.value) {
        case (nil, nil): return true
        case (let x?, let y?): return x.isWritten(as: y)
        default: return false
        }
    }

    package func hash(into hasher: inout Hasher) {
        // Values that are written alike are equal in meaning, so their own hash will do.
        hasher.combine(time)
        hasher.combine(ExactString(session))
        hasher.combine(creation)
        hasher.combine(value)
    }
}

extension JSONValue {
    /// Whether both give the same text: the same digits, the same order of members.
    fileprivate func isWritten(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a.isExactly(b)
        case (.array(let a), .array(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.isWritten(as: $1) }
        case (.object(let a), .object(let b)):
            a.count == b.count
                && zip(a, b).allSatisfy { $0.key.isExactly($1.key) && $0.value.isWritten(as: $1.value) }
        default: false
        }
    }
}

/// One contact as one source gave it: an observed-remove map with a version vector (DESIGN.md 3).
///
/// `join` is commutative, associative and idempotent, so order, repetition and loops in the mesh are harmless.
/// Equal vectors mean equal records, forgotten values apart: a write and a removal both take a counter.
package struct Record: Hashable, Sendable {
    package let uid: UID
    package var seen: VersionVector
    package var fields: Fields

    package init(uid: UID) {
        self.uid = uid
        seen = VersionVector()
        fields = Fields()
    }

    /// Whether it takes part: it holds an `@alive` dot that no deletion outweighs. The book's own record always does.
    package var isAlive: Bool {
        if uid.isBook { return true }
        guard let alive = fields[.alive] else { return false }
        return fields[.deleted] == nil || alive.values.contains { $0.time != .zero }
    }

    /// The record without all that does not say whether it takes part: what becomes of that in a join is all the same.
    package var life: Record {
        var life = Record(uid: uid)
        life.seen = seen
        life.fields[.alive] = fields[.alive]
        life.fields[.deleted] = fields[.deleted]
        return life
    }

    /// The versions of a field that still have their value.
    package func values(_ key: FieldKey) -> Versions {
        fields[key]?.filter { $0.value.value != nil } ?? [:]
    }

    /// Writes a value under a new dot in place of the dots in `over`, no others.
    ///
    /// - Parameter over: what the writer had seen; nil stands for all that is here.
    package mutating func put(_ key: FieldKey, _ version: Version, dot: Dot, over: Set<Dot>?) {
        fields[key, default: [:]].put(version, dot: dot, over: over)
        seen.insert(dot)
    }

    /// Removes the dots in `over` (nil: all). Takes `dot` as the count of the removal if anything was removed.
    ///
    /// - Returns: whether anything was removed.
    @discardableResult
    package mutating func drop(_ key: FieldKey, over: Set<Dot>?, dot: @autoclosure () -> Dot) -> Bool {
        guard let versions = fields[key] else { return false }
        let kept = over.map { over in versions.filter { !over.contains($0.key) } } ?? [:]
        guard kept.count < versions.count else { return false }
        fields[key] = kept.isEmpty ? nil : kept
        seen.insert(dot())
        return true
    }

    /// What a join did.
    package struct JoinOutcome: Sendable {
        /// Whether our state is now another than before (a value taken back counts).
        package var changed = false
        /// Whether our state now equals the other's.
        package var equalsOther = false
        /// Dots under which the two held different things: the sender is broken, or we are.
        package var contradictions: [Dot] = []
    }

    /// Joins another state of the same record into this one.
    ///
    /// A dot stays if both hold it, or if one holds it and the other's vector has not seen it. A bare dot takes its
    /// value back from whoever still has it. Under one dot with two values the one with the smaller hash stays.
    package mutating func join(_ other: Record, hash: HashFunction) -> JoinOutcome {
        precondition(uid == other.uid, "only states of one record can be joined")
        var outcome = JoinOutcome()
        if fields.isEmpty, seen.counters.isEmpty {
            // Nothing is known here: most joins of a first exchange, and no field need be compared.
            outcome.changed = !(other.fields.isEmpty && other.seen.counters.isEmpty)
            outcome.equalsOther = true
            self = other
            return outcome
        }
        let before = self
        fields = Fields.joined(fields, other.fields) { ours, theirs in
            var kept = ours.filter { theirs[$0.key] != nil || !other.seen.contains($0.key) }
            for (dot, version) in theirs {
                if let own = kept[dot] {
                    kept[dot] = Self.one(of: own, version, dot, &outcome, hash)
                } else if !before.seen.contains(dot) {
                    kept[dot] = version
                }
            }
            return kept
        }
        seen.formUnion(other.seen)
        outcome.changed = self != before
        outcome.equalsOther = self == other
        return outcome
    }

    /// Which of two contents of one dot stays. They differ only if one of them is forgotten, or a machine is broken;
    /// even then all machines must take the same, so what stays is the least in one order: by all but the value
    /// first, a kept value before a forgotten one, then by the value.
    private static func one(
        of a: Version,
        _ b: Version,
        _ dot: Dot,
        _ outcome: inout JoinOutcome,
        _ hash: HashFunction
    ) -> Version {
        if a == b { return a }
        let frames = (a.forgotten, b.forgotten)
        guard frames.0 == frames.1 else {
            outcome.contradictions.append(dot)
            return RecordCoding.hash(of: frames.0, hash) < RecordCoding.hash(of: frames.1, hash) ? a : b
        }
        if a.value == nil { return b }
        if b.value == nil { return a }
        outcome.contradictions.append(dot)
        return RecordCoding.hash(of: a, hash) < RecordCoding.hash(of: b, hash) ? a : b
    }

    /// Forgets the values of a dead record; uid, vector and bare dots stay as the tombstone.
    ///
    /// `@deleted` says by its dots alone what it says, and keeps its value (null).
    ///
    /// - Returns: whether anything was forgotten.
    package mutating func forget() -> Bool {
        guard !isAlive else { return false }
        var changed = false
        for (key, versions) in fields where key != .deleted {
            for (dot, version) in versions where version.value != nil {
                fields[key]?[dot] = version.forgotten
                changed = true
            }
        }
        return changed
    }

    /// Whether a value of it is missing that a whole record has.
    package var hasForgottenValues: Bool {
        fields.contains { $0.value.values.contains { $0.value == nil } }
    }
}

extension Record {
    /// The hash that two machines compare. Of a living record it covers all; of a dead one the dots only, since
    /// one machine may have forgotten values that another still keeps.
    ///
    /// - Parameter text: the record's `RecordCoding.bytes`, where they are at hand.
    package func digestHash(_ hash: HashFunction, of text: [UInt8]? = nil) -> ContentHash {
        guard isAlive else { return RecordCoding.hashOfDots(self, hash) }
        return hash.hash(text ?? RecordCoding.bytes(self))
    }
}
