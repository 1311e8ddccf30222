import JSON

/// Texts under small numbers: each is held once, in one run of bytes, while someone uses it.
///
/// 100,000 uids as strings take 13 MB with a dictionary to find them; here they take 7 MB.
struct TextPool: Sendable {
    /// Which texts are one.
    enum Equality: Sendable {
        /// Those with the same code points.
        case exact
        /// Those that are canonically equivalent, as Swift's strings compare; the first stands for all.
        case canonical
    }
    private let equality: Equality
    private var bytes: [UInt8] = []
    private var starts: [UInt32] = []
    private var lengths: [UInt32] = []
    private var hashes: [UInt32] = []
    private var uses: [UInt32] = []
    private var free: [UInt32] = []
    private var wasted = 0
    /// Open addressing with linear steps: an id plus one, or zero; its size is a power of two.
    private var table: [UInt32] = .init(repeating: 0, count: 16)

    init(_ equality: Equality = .exact) { self.equality = equality }

    /// About the bytes of memory that the texts take.
    var size: Int { bytes.count - wasted + (starts.count - free.count) * Profile.entrySize }

    /// The id of a text that is in use.
    func find(_ text: String) -> UInt32? {
        let place = place(of: text, hash(text))
        return table[place] == 0 ? nil : table[place] - 1
    }

    /// The id of a text, which is used once more from now on.
    mutating func use(_ text: String) -> UInt32 {
        let hash = hash(text)
        var place = place(of: text, hash)
        if table[place] != 0 {
            let id = table[place] - 1
            uses[Int(id)] += 1
            return id
        }
        if (starts.count - free.count + 1) * 4 > table.count * 3 {
            grow()
            place = self.place(of: text, hash)
        }
        let start = UInt32(bytes.count)
        bytes.append(contentsOf: text.utf8)
        let length = UInt32(bytes.count) - start
        let id: UInt32
        if let old = free.popLast() {
            id = old
            starts[Int(id)] = start
            lengths[Int(id)] = length
            hashes[Int(id)] = hash
            uses[Int(id)] = 1
        } else {
            id = UInt32(starts.count)
            starts.append(start)
            lengths.append(length)
            hashes.append(hash)
            uses.append(1)
        }
        table[place] = id + 1
        return id
    }

    /// Ends one use; with the last the id may be given to another text.
    mutating func release(_ id: UInt32) {
        precondition(uses[Int(id)] > 0, "a text is released once for each use")
        uses[Int(id)] -= 1
        guard uses[Int(id)] == 0 else { return }
        removeFromTable(id)
        wasted += Int(lengths[Int(id)])
        lengths[Int(id)] = 0
        free.append(id)
        if wasted > 4096, wasted * 2 > bytes.count { compact() }
    }

    /// The text of an id.
    func text(_ id: UInt32) -> String { String(decoding: bytes[range(id)], as: UTF8.self) }

    /// Whether the text is the empty one.
    func isEmpty(_ id: UInt32) -> Bool { lengths[Int(id)] == 0 }

    /// The order of the texts' bytes, which is that of `ExactString`.
    func precedes(_ a: UInt32, _ b: UInt32) -> Bool {
        let (x, y) = (range(a), range(b))
        for step in 0..<Swift.min(x.count, y.count) {
            let (p, q) = (bytes[x.lowerBound + step], bytes[y.lowerBound + step])
            if p != q { return p < q }
        }
        return x.count < y.count
    }

    private func range(_ id: UInt32) -> Range<Int> {
        let start = Int(starts[Int(id)])
        return start..<start + Int(lengths[Int(id)])
    }

    /// Equal for texts that are equal.
    private func hash(_ text: String) -> UInt32 {
        UInt32(truncatingIfNeeded: equality == .exact ? ExactString(text).hashValue : text.hashValue)
    }

    private func holds(_ id: UInt32, _ text: String) -> Bool {
        if text.isExactly(bytes[range(id)]) { return true }
        return equality == .canonical && self.text(id) == text
    }

    /// Where the text is in the table, or where it would go.
    private func place(of text: String, _ hash: UInt32) -> Int {
        var place = Int(hash) & (table.count - 1)
        while table[place] != 0 {
            let id = table[place] - 1
            if hashes[Int(id)] == hash, holds(id, text) { return place }
            place = (place + 1) & (table.count - 1)
        }
        return place
    }

    private mutating func grow() {
        let old = table
        table = .init(repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 {
            var place = Int(hashes[Int(entry - 1)]) & (table.count - 1)
            while table[place] != 0 { place = (place + 1) & (table.count - 1) }
            table[place] = entry
        }
    }

    /// Takes an entry out and moves back those that stepped over it, so that no search ends too early.
    private mutating func removeFromTable(_ id: UInt32) {
        let mask = table.count - 1
        var hole = Int(hashes[Int(id)]) & mask
        while table[hole] != id + 1 { hole = (hole + 1) & mask }
        var at = (hole + 1) & mask
        while table[at] != 0 {
            let home = Int(hashes[Int(table[at] - 1)]) & mask
            if (at - home) & mask >= (at - hole) & mask {
                table[hole] = table[at]
                hole = at
            }
            at = (at + 1) & mask
        }
        table[hole] = 0
    }

    private mutating func compact() {
        var packed: [UInt8] = []
        packed.reserveCapacity(bytes.count - wasted)
        for id in starts.indices {
            let range = range(UInt32(id))
            starts[id] = UInt32(packed.count)
            packed.append(contentsOf: bytes[range])
        }
        bytes = packed
        wasted = 0
    }
}
