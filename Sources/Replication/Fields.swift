/// The versions of a record's fields, in the order of the fields' names.
///
/// A record has some twenty fields, is read and written in the order of their names, and is mostly walked through from
/// end to end: this is a sorted row, made with one allocation, where a hash table would hash every name and be sorted
/// for each writing (with `FieldMap`: 2 % fewer instructions in a first index).
package struct Fields: Sendable {
    package typealias Element = (key: FieldKey, value: Versions)

    private var row: [Element] = []

    package init() {}

    package var keys: some RandomAccessCollection<FieldKey> { row.lazy.map(\.key) }
    package var values: some RandomAccessCollection<Versions> { row.lazy.map(\.value) }

    package mutating func reserveCapacity(_ count: Int) { row.reserveCapacity(count) }

    /// Reads, replaces, adds, or (with nil) removes the versions of a field.
    package subscript(key: FieldKey) -> Versions? {
        get {
            let (at, isKnown) = place(of: key)
            return isKnown ? row[at].value : nil
        }
        set {
            let (at, isKnown) = place(of: key)
            switch (newValue, isKnown) {
            case (let versions?, true): row[at].value = versions
            case (let versions?, false): row.insert((key, versions), at: at)
            case (nil, true): row.remove(at: at)
            case (nil, false): break
            }
        }
    }

    /// The same in place; a field that is not there begins with the default.
    package subscript(key: FieldKey, default fallback: Versions) -> Versions {
        get { self[key] ?? fallback }
        _modify {
            let (at, isKnown) = place(of: key)
            if !isKnown { row.insert((key, fallback), at: at) }
            yield &row[at].value
        }
    }

    /// Those that fit.
    package func filter(_ fits: (Element) throws -> Bool) rethrows -> Fields {
        var out = Fields()
        out.row = try row.filter(fits)
        return out
    }

    /// Both walked through together: for each field what `join` makes of the versions that either has of it, if it
    /// makes any.
    static func joined(_ a: Fields, _ b: Fields, _ join: (Versions, Versions) -> Versions) -> Fields {
        var out = Fields()
        out.row.reserveCapacity(Swift.max(a.count, b.count))
        var (i, j) = (0, 0)
        while i < a.count || j < b.count {
            let isOfA = j == b.count || i < a.count && !(b.row[j].key < a.row[i].key)
            let isOfB = i == a.count || j < b.count && !(a.row[i].key < b.row[j].key)
            let key = isOfA ? a.row[i].key : b.row[j].key
            let versions = join(isOfA ? a.row[i].value : [:], isOfB ? b.row[j].value : [:])
            if !versions.isEmpty { out.row.append((key, versions)) }
            if isOfA { i += 1 }
            if isOfB { j += 1 }
        }
        return out
    }

    private func place(of key: FieldKey) -> (at: Int, isKnown: Bool) {
        key.place(among: row.count) { row[$0].key }
    }
}

extension Fields: RandomAccessCollection {
    package var startIndex: Int { row.startIndex }
    package var endIndex: Int { row.endIndex }
    package subscript(at: Int) -> Element { row[at] }
}

extension Fields: Hashable {
    package static func == (a: Fields, b: Fields) -> Bool {
        a.count == b.count && zip(a.row, b.row).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for (key, versions) in row {
            hasher.combine(key)
            hasher.combine(versions)
        }
    }
}

extension Fields: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (FieldKey, Versions)...) {
        for (key, versions) in elements { self[key] = versions }
    }
}

extension FieldKey {
    /// Where this is in a row that is sorted by keys, or would be.
    ///
    /// - Parameters:
    ///   - count: how long the row is.
    ///   - at: the key at a place of it.
    package func place(among count: Int, _ at: (Int) -> FieldKey) -> (at: Int, isKnown: Bool) {
        // What is read in order comes last.
        guard count > 0, !(at(count - 1) < self) else { return (count, false) }
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if at(middle) < self { low = middle + 1 } else { high = middle }
        }
        return (low, at(low) == self)
    }
}
