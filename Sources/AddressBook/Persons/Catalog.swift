import Contacts
package import JSON
package import Replication

/// The profiles of all alive records of a book, with the indexes that judging needs, and what each stored record adds to
/// the book's digest: small enough to stay in memory.
///
/// A record is known by the number of its uid, its slot; texts are held once. 100,000 profiles take less than 30 MB.
package struct Catalog: Sendable {
    /// The greatest count of names on a number that are compared; with more it is a switchboard (DESIGN.md 4).
    package static let comparedNames = 50
    /// The greatest count of names that one name may fit on a number of more than `comparedNames`; a name that fits
    /// more goes with none, so that the work on a number stays bounded.
    package static let fittedNames = 256
    /// The greatest count of records that are one person: an edit writes to each pair of them that they belong together,
    /// so without a bound whoever shares the book could make one edit here cost any memory.
    package static let recordsOfPerson = 100

    private var uids = TextPool()
    // Names are equal as `PersonName` says.
    private var names = TextPool(.canonical)
    private var kinds = TextPool()
    private var keys = TextPool()

    // By slot.
    private var nameOf: [UInt32] = []
    private var kindOf: [UInt32] = []
    private var madeOf: [Bool] = []
    private var phonesOf: [SmallList] = []
    // By key: the slots of the records that carry it.
    private var slotsOn: [SmallList] = []
    private var marks: [UInt32: SharedMark] = [:]
    // By slot, only where people said something.
    private var pairsOf: [UInt32: Pairs] = [:]
    // By slot, of records that the store holds, alive or not.
    private var sharesOf: [ContentHash?] = []

    let groupKind: UInt32
    let individualKind: UInt32

    /// How many records are alive.
    package private(set) var count = 0
    /// How many records the store holds.
    package private(set) var storedCount = 0
    /// Numbers and pairs of all records.
    private var entries = 0

    /// What people said about one record, noted on it (`own`) or on the other.
    struct Pairs: Sendable {
        var same = SmallList()
        var apart = SmallList()
        var ownSame = SmallList()
        var ownApart = SmallList()

        var isEmpty: Bool { same.isEmpty && apart.isEmpty && ownSame.isEmpty && ownApart.isEmpty }
    }

    private static let noName = UInt32.max

    /// A catalog of nothing.
    package init() {
        groupKind = kinds.use(Profile.group)
        individualKind = kinds.use(Profile.individual)
    }

    // MARK: What it holds

    /// The profile of a record, nil if it is not alive.
    package func profile(of uid: UID) -> Profile? { slot(of: uid).map { profile($0) } }

    /// The alive records that carry a number, sorted.
    package func uids(on key: String) -> [UID] {
        keys.find(key).map { slots(on: $0).map { uid($0) }.sorted() } ?? []
    }

    /// What the book's record says of a number.
    package func mark(of key: String) -> SharedMark? { keys.find(key).flatMap { marks[$0] } }

    /// All alive records, sorted.
    package var allUIDs: [UID] { aliveSlots.map { uid($0) }.sorted() }

    /// All numbers that alive records carry, sorted.
    package var allKeys: [String] {
        keyIDs.filter { !slotsOn[Int($0)].isEmpty }.map { ExactString(keys.text($0)) }.sorted().map(\.text)
    }

    /// What a record adds to the book's digest, as it is stored; nil for one that is not.
    package func share(of uid: UID) -> ContentHash? {
        uids.find(uid.text).flatMap { sharesOf[Int($0)] }
    }

    /// All stored records with what they add, in no order that means anything.
    package var shares: some Sequence<(uid: UID, share: ContentHash)> {
        sharesOf.indices.lazy.compactMap { slot in
            sharesOf[slot].map { (UID(uids.text(UInt32(slot))), $0) }
        }
    }

    /// About the bytes of memory that all profiles take.
    package var size: Int { uids.size + names.size + keys.size + entries * Profile.entrySize }

    // MARK: Changing it

    /// Puts a profile in the place of what is held of the record; nil where it is dead or gone.
    package mutating func replace(_ uid: UID, with profile: Profile?) {
        precondition(!uid.isBook, "the book's own record is no contact")
        precondition(profile == nil || profile?.uid == uid, "a profile is of the record it is put under")
        if let slot = slot(of: uid) { remove(slot) }
        guard let profile else { return }
        let slot = uids.use(uid.text)
        makeRoom(for: slot)
        nameOf[Int(slot)] = names.use(profile.name.folded)
        kindOf[Int(slot)] = kinds.use(profile.kind)
        madeOf[Int(slot)] = profile.isMade
        for (key, marked) in profile.phones {
            let id = keys.use(key)
            makeRoom(forKey: id)
            slotsOn[Int(id)].append(slot)
            phonesOf[Int(slot)].append(id << 1 | (marked ? 1 : 0))
        }
        count += 1
        entries += profile.phones.count
        for other in Set(profile.same) where other != uid { pair(slot, other, \.same, \.ownSame) }
        for other in Set(profile.apart) where other != uid { pair(slot, other, \.apart, \.ownApart) }
    }

    /// Notes what a record adds to the book's digest; nil where it is not stored, or not as it was written.
    package mutating func setShare(_ uid: UID, _ share: ContentHash?) {
        let known = self.share(of: uid)
        if let share {
            let slot = known == nil ? uids.use(uid.text) : uids.find(uid.text)
            guard let slot else { preconditionFailure("a stored record has a slot") }
            makeRoom(for: slot)
            sharesOf[Int(slot)] = share
            if known == nil { storedCount += 1 }
        } else if known != nil, let slot = uids.find(uid.text) {
            sharesOf[Int(slot)] = nil
            uids.release(slot)
            storedCount -= 1
        }
    }

    /// Notes what the book's record says of a number; nil where it says nothing.
    package mutating func setShared(_ key: String, _ mark: SharedMark?) {
        if let id = keys.find(key), marks[id] != nil {
            marks[id] = nil
            keys.release(id)
        }
        guard let mark else { return }
        let id = keys.use(key)
        makeRoom(forKey: id)
        marks[id] = mark
    }

    private mutating func pair(
        _ slot: UInt32,
        _ other: UID,
        _ both: WritableKeyPath<Pairs, SmallList>,
        _ own: WritableKeyPath<Pairs, SmallList>
    ) {
        let other = uids.use(other.text)
        makeRoom(for: other)
        entries += 1
        pairsOf[slot, default: Pairs()][keyPath: both].append(other)
        pairsOf[slot, default: Pairs()][keyPath: own].append(other)
        pairsOf[other, default: Pairs()][keyPath: both].append(slot)
    }

    private mutating func remove(_ slot: UInt32) {
        names.release(nameOf[Int(slot)])
        kinds.release(kindOf[Int(slot)])
        nameOf[Int(slot)] = Self.noName
        for phone in phonesOf[Int(slot)] {
            slotsOn[Int(phone >> 1)].remove(slot)
            keys.release(phone >> 1)
        }
        entries -= phonesOf[Int(slot)].count
        phonesOf[Int(slot)] = SmallList()
        count -= 1
        if let pairs = pairsOf[slot] {
            for other in pairs.ownSame { unpair(slot, other, \.same) }
            for other in pairs.ownApart { unpair(slot, other, \.apart) }
            pairsOf[slot]?.ownSame = SmallList()
            pairsOf[slot]?.ownApart = SmallList()
            if pairsOf[slot]?.isEmpty == true { pairsOf[slot] = nil }
        }
        uids.release(slot)
    }

    private mutating func unpair(_ slot: UInt32, _ other: UInt32, _ both: WritableKeyPath<Pairs, SmallList>) {
        pairsOf[slot]?[keyPath: both].remove(other)
        pairsOf[other]?[keyPath: both].remove(slot)
        if pairsOf[other]?.isEmpty == true { pairsOf[other] = nil }
        uids.release(other)
        entries -= 1
    }

    private mutating func makeRoom(for slot: UInt32) {
        while nameOf.count <= Int(slot) {
            nameOf.append(Self.noName)
            kindOf.append(0)
            madeOf.append(false)
            phonesOf.append(SmallList())
            sharesOf.append(nil)
        }
    }

    private mutating func makeRoom(forKey key: UInt32) {
        while slotsOn.count <= Int(key) { slotsOn.append(SmallList()) }
    }
}

// MARK: By slot

extension Catalog {
    /// One more than the greatest slot.
    var endSlot: Int { nameOf.count }

    /// The slots of alive records, in no order that means anything.
    var aliveSlots: some Sequence<UInt32> {
        nameOf.indices.lazy.filter { nameOf[$0] != Self.noName }.map { UInt32($0) }
    }

    /// All keys that have a number, in no order that means anything.
    var keyIDs: Range<UInt32> { 0..<UInt32(slotsOn.count) }

    func slot(of uid: UID) -> UInt32? { uids.find(uid.text).flatMap { isAlive($0) ? $0 : nil } }
    func uid(_ slot: UInt32) -> UID { UID(uids.text(slot)) }
    func isAlive(_ slot: UInt32) -> Bool { nameOf[Int(slot)] != Self.noName }
    func precedes(_ a: UInt32, _ b: UInt32) -> Bool { uids.precedes(a, b) }
    func isMade(_ slot: UInt32) -> Bool { madeOf[Int(slot)] }
    func name(_ slot: UInt32) -> UInt32 { nameOf[Int(slot)] }
    func kind(_ slot: UInt32) -> UInt32 { kindOf[Int(slot)] }
    func phones(_ slot: UInt32) -> some RandomAccessCollection<UInt32> {
        phonesOf[Int(slot)].lazy.map { $0 >> 1 }
    }
    func marks(_ slot: UInt32, _ key: UInt32) -> Bool { phonesOf[Int(slot)].contains(key << 1 | 1) }
    func slots(on key: UInt32) -> SmallList { slotsOn[Int(key)] }
    /// Whether no word of people's and no number connects it with another, as most.
    func isAlone(_ slot: UInt32) -> Bool {
        pairsOf[slot] == nil && phonesOf[Int(slot)].allSatisfy { slotsOn[Int($0 >> 1)].count == 1 }
    }
    func mark(_ key: UInt32) -> SharedMark? { marks[key] }
    func key(_ id: UInt32) -> String { keys.text(id) }
    func keyID(_ key: String) -> UInt32? { keys.find(key) }
    func nameText(_ name: UInt32) -> String { names.text(name) }
    func isNameless(_ name: UInt32) -> Bool { names.isEmpty(name) }

    /// The alive records that people joined with this one.
    func same(_ slot: UInt32) -> [UInt32] { pairsOf[slot]?.same.filter { isAlive($0) } ?? [] }

    /// The alive records that people told apart from this one.
    func apart(_ slot: UInt32) -> [UInt32] { pairsOf[slot]?.apart.filter { isAlive($0) } ?? [] }

    /// The alive records that a uid, itself alive or not, is said to be the same as or another than.
    func said(of uid: UID) -> [UInt32] {
        guard let slot = uids.find(uid.text), let pairs = pairsOf[slot] else { return [] }
        return pairs.same.filter { isAlive($0) } + pairs.apart.filter { isAlive($0) }
    }

    func profile(_ slot: UInt32) -> Profile {
        let pairs = pairsOf[slot]
        return Profile(
            uid: uid(slot),
            isMade: madeOf[Int(slot)],
            name: PersonName(folded: names.text(nameOf[Int(slot)])),
            kind: kinds.text(kindOf[Int(slot)]),
            phones: .init(
                uniqueKeysWithValues: phonesOf[Int(slot)].map { (keys.text($0 >> 1), $0 & 1 == 1) }
            ),
            same: pairs?.ownSame.map { uid($0) }.sorted() ?? [],
            apart: pairs?.ownApart.map { uid($0) }.sorted() ?? []
        )
    }
}
