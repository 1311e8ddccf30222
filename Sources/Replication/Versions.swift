/// The versions of one field by their dots, in the order of the dots.
///
/// Nearly every field has exactly one, so this is a sorted row: a hash table for each field would be most of what a
/// record costs in time and memory.
package struct Versions: Sendable {
    package typealias Element = (key: Dot, value: Version)

    private var row: [Element] = []
    /// Up to here looking along the row is quicker than halving it.
    private static let few = 16

    package init() {}

    package var keys: some RandomAccessCollection<Dot> { row.lazy.map(\.key) }
    package var values: some RandomAccessCollection<Version> { row.lazy.map(\.value) }

    /// Reads, replaces, adds, or (with nil) removes a version.
    package subscript(dot: Dot) -> Version? {
        get {
            let at = place(of: dot)
            return at < row.count && row[at].key == dot ? row[at].value : nil
        }
        set {
            let at = place(of: dot)
            let isKnown = at < row.count && row[at].key == dot
            switch (newValue, isKnown) {
            case (let version?, true): row[at].value = version
            case (let version?, false): row.insert((dot, version), at: at)
            case (nil, true): row.remove(at: at)
            case (nil, false): break
            }
        }
    }

    /// Adds a version in place of those in `over`; nil stands for all.
    mutating func put(_ version: Version, dot: Dot, over: Set<Dot>?) {
        if let over { for dot in over { self[dot] = nil } } else { row = [] }
        self[dot] = version
    }

    /// Those that fit.
    package func filter(_ fits: (Element) throws -> Bool) rethrows -> Versions {
        var out = Versions()
        out.row = try row.filter(fits)
        return out
    }

    /// Where the dot is, or would be.
    private func place(of dot: Dot) -> Int {
        // Rows are short, and what is new is mostly the newest.
        guard let last = row.last, dot <= last.key else { return row.count }
        guard row.count > Self.few else {
            var at = row.count - 1
            while at > 0, dot <= row[at - 1].key { at -= 1 }
            return at
        }
        var (low, high) = (0, row.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if row[middle].key < dot { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Versions: RandomAccessCollection {
    package var startIndex: Int { row.startIndex }
    package var endIndex: Int { row.endIndex }
    package subscript(at: Int) -> Element { row[at] }
}

extension Versions: Hashable {
    package static func == (a: Versions, b: Versions) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for (dot, version) in row {
            hasher.combine(dot)
            hasher.combine(version)
        }
    }
}

extension Versions: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (Dot, Version)...) {
        for (dot, version) in elements { self[dot] = version }
    }
}
