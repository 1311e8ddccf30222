package import Replication

/// Something for each of several fields, in the order of their names: a sorted row as `Fields` is, and for its reasons.
/// It stands beside that because the compiler makes generic code quick only within its own target.
package struct FieldMap<Value> {
    package typealias Element = (key: FieldKey, value: Value)

    private var row: [Element] = []

    package init() {}

    package var keys: some RandomAccessCollection<FieldKey> { row.lazy.map(\.key) }
    package var values: some RandomAccessCollection<Value> { row.lazy.map(\.value) }

    package mutating func reserveCapacity(_ count: Int) { row.reserveCapacity(count) }

    /// Reads, replaces, adds, or (with nil) removes what a field has.
    package subscript(key: FieldKey) -> Value? {
        get {
            let (at, isKnown) = place(of: key)
            return isKnown ? row[at].value : nil
        }
        set {
            let (at, isKnown) = place(of: key)
            switch (newValue, isKnown) {
            case (let value?, true): row[at].value = value
            case (let value?, false): row.insert((key, value), at: at)
            case (nil, true): row.remove(at: at)
            case (nil, false): break
            }
        }
    }

    package func mapValues<Other>(_ change: (Value) throws -> Other) rethrows -> FieldMap<Other> {
        var out = FieldMap<Other>()
        out.row = try row.map { ($0.key, try change($0.value)) }
        return out
    }

    private func place(of key: FieldKey) -> (at: Int, isKnown: Bool) {
        key.place(among: row.count) { row[$0].key }
    }
}

extension FieldMap: RandomAccessCollection {
    package var startIndex: Int { row.startIndex }
    package var endIndex: Int { row.endIndex }
    package subscript(at: Int) -> Element { row[at] }
}

extension FieldMap: Sendable where Value: Sendable {}

extension FieldMap: Equatable where Value: Equatable {
    package static func == (a: FieldMap, b: FieldMap) -> Bool {
        a.count == b.count && zip(a.row, b.row).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    }
}

extension FieldMap: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (FieldKey, Value)...) {
        for (key, value) in elements { self[key] = value }
    }
}
