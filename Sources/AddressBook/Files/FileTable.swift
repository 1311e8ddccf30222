package import JSON
package import Replication

/// What every file of a directory holds, which files show a record, and which names are taken: small enough to stay in
/// memory.
///
/// What a file holds is kept packed, as the store has it, and read when it is asked for; names and uids are held once.
package struct FileTable: Sendable {
    private var names = TextPool()
    // As file systems that know no case compare them, where that is not the name itself; one use a file.
    private var foldedNames = TextPool(.canonical)
    private var uids = TextPool()

    // By the number of the name.
    private var stamps: [FileStamp] = []
    private var states: [[UInt8]] = []
    // By the number of the uid: the files that show it, each once.
    private var filesOf: [SmallList] = []
    private var flawedFiles: Set<UInt32> = []
    /// Those that hold several items, or one that shows several records.
    private var severalIn: Set<UInt32> = []

    /// How many files there are.
    package private(set) var count = 0

    package init() {}

    /// What a file holds; nil where there is no such file.
    package subscript(name: ExactString) -> FileState? {
        get { number(of: name).map { state($0) } }
        set {
            let known = number(of: name)
            if let known { forget(known, ends: newValue == nil) }
            guard let newValue else { return }
            let number = known ?? begin(name)
            stamps[number] = newValue.stamp
            states[number] = newValue.packed
            if newValue.isFlawed { flawedFiles.insert(UInt32(number)) }
            note(newValue.items.map(\.uids), UInt32(number))
        }
    }

    /// Takes what the store has of a file as it is (with `FileRecord.decode` a restart took 20 % more).
    ///
    /// - Returns: whether it is taken; not where `FileRecord.decode` has more to tell, or the stamp has.
    package mutating func take(_ row: FileRow) -> Bool {
        let name = ExactString(row.name)
        // A damaged store may have a file twice.
        guard number(of: name) == nil, let stamp = FileStamp(numbers: row.stamp), stamp != .unknown,
            let (packed, shown) = FileRecord.plain(row.state)
        else { return false }
        let number = begin(name)
        stamps[number] = stamp
        states[number] = packed
        note(shown, UInt32(number))
        return true
    }

    /// Hands over the records that each item of each file shows.
    package func eachShown(_ body: ([UID]) -> Void) {
        for (id, files) in filesOf.enumerated() {
            for file in files where !severalIn.contains(file) { body([UID(uids.text(UInt32(id)))]) }
        }
        for file in severalIn.sorted() { for item in state(Int(file)).items { body(item.uids) } }
    }

    /// The stamp of a file.
    package func stamp(of name: ExactString) -> FileStamp? { number(of: name).map { stamps[$0] } }

    /// The files that show a record, each once.
    package func names(showing uid: UID) -> [ExactString] {
        uids.find(uid.text).map { filesOf[Int($0)].map { ExactString(names.text($0)) } } ?? []
    }

    /// Whether any file shows a record.
    package func isShown(_ uid: UID) -> Bool { uids.find(uid.text) != nil }

    /// Whether a name is taken, given as `lowercased` makes it.
    package func isTaken(folded name: String) -> Bool {
        names.find(name) != nil || foldedNames.find(name) != nil
    }

    /// The files that are set aside, wholly or in part, by name.
    package var flawed: [(name: ExactString, state: FileState)] {
        flawedFiles.map { (ExactString(names.text($0)), state(Int($0))) }.sorted { $0.name < $1.name }
    }

    /// The files that are not as a directory now has them: new, changed or gone.
    package func differences(from entries: [DirectoryEntry]) -> [ExactString] {
        var out: [ExactString] = []
        var isThere = [Bool](repeating: false, count: stamps.count)
        for entry in entries {
            let name = ExactString(entry.name)
            let number = number(of: name)
            if let number { isThere[number] = true }
            if number.map({ stamps[$0] }) != entry.stamp { out.append(name) }
        }
        return out + missing(isThere)
    }

    /// The files that a directory no longer has.
    package func missing(from entries: [DirectoryEntry]) -> [ExactString] {
        var isThere = [Bool](repeating: false, count: stamps.count)
        for entry in entries {
            if let number = number(of: ExactString(entry.name)) { isThere[number] = true }
        }
        return missing(isThere)
    }

    // MARK: Parts

    private func missing(_ isThere: [Bool]) -> [ExactString] {
        isThere.indices.filter { !isThere[$0] && !states[$0].isEmpty }
            .map { ExactString(names.text(UInt32($0))) }
    }

    private func number(of name: ExactString) -> Int? { names.find(name.text).map { Int($0) } }

    private func state(_ number: Int) -> FileState {
        guard let state = FileState(packed: states[number], stamp: stamps[number]) else {
            preconditionFailure("what was packed can be read")
        }
        return state
    }

    private mutating func begin(_ name: ExactString) -> Int {
        count += 1
        if let folded = Self.folded(name.text) { _ = foldedNames.use(folded) }
        let number = Int(names.use(name.text))
        while stamps.count <= number {
            stamps.append(.unknown)
            states.append([])
        }
        return number
    }

    private mutating func forget(_ number: Int, ends: Bool) {
        for uid in state(number).uids {
            guard let id = uids.find(uid.text) else { preconditionFailure("what a file shows is known") }
            filesOf[Int(id)].remove(UInt32(number))
            uids.release(id)
        }
        flawedFiles.remove(UInt32(number))
        severalIn.remove(UInt32(number))
        guard ends else { return }
        count -= 1
        states[number] = []
        if let folded = Self.folded(names.text(UInt32(number))), let id = foldedNames.find(folded) {
            foldedNames.release(id)
        }
        names.release(UInt32(number))
    }

    private mutating func note(_ shown: [[UID]], _ number: UInt32) {
        if shown.count > 1 || shown.contains(where: { $0.count > 1 }) { severalIn.insert(number) }
        for uid in FileState.each(of: shown) { show(uid, number) }
    }

    private mutating func show(_ uid: UID, _ number: UInt32) {
        let id = Int(uids.use(uid.text))
        while filesOf.count <= id { filesOf.append(SmallList()) }
        filesOf[id].append(number)
    }

    /// Nil where it is the name itself.
    private static func folded(_ name: String) -> String? {
        let isLower = name.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
        return isLower ? nil : name.lowercased()
    }
}

extension FileState {
    /// Whether it, or an item of it, is set aside.
    package var isFlawed: Bool { aside != nil || !flaws.isEmpty }

    /// The records that it shows, each once.
    fileprivate var uids: [UID] { Self.each(of: items.map(\.uids)) }

    fileprivate static func each(of shown: [[UID]]) -> [UID] {
        if shown.count == 1, shown[0].count == 1 { return shown[0] }
        return Array(Set(shown.joined()))
    }
}
