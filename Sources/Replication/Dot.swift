import JSON

/// One start of one daemon on one state database: 64 random bits, made at the start.
package struct ReplicaID: Hashable, Comparable, Sendable {
    package let bits: UInt64

    package init(_ bits: UInt64) { self.bits = bits }

    package static func < (a: ReplicaID, b: ReplicaID) -> Bool { a.bits < b.bits }

    /// 16 hexadecimal digits.
    package var hex: String { bits.hex }

    /// Reads 16 hexadecimal digits.
    package init?(hex: String) {
        guard hex.utf8.count == 16, let bits = UInt64(hex, radix: 16) else { return nil }
        self.bits = bits
    }
}

/// The name of one write: the replica that made it and that replica's count of writes. Never given twice.
///
/// Ordered by counter, then replica; the smaller of two creations keeps its Id (DESIGN.md 3).
package struct Dot: Hashable, Comparable, Sendable {
    package let replica: ReplicaID
    package let counter: UInt64

    package init(replica: ReplicaID, counter: UInt64) {
        self.replica = replica
        self.counter = counter
    }

    package static func < (a: Dot, b: Dot) -> Bool {
        a.counter != b.counter ? a.counter < b.counter : a.replica < b.replica
    }
}

/// Which writes are known: for each replica the highest counter seen; all below it are seen too.
package struct VersionVector: Hashable, Sendable {
    /// The highest counter seen of each replica; never zero.
    package private(set) var counters: [ReplicaID: UInt64]

    package init(_ counters: [ReplicaID: UInt64] = [:]) { self.counters = counters.filter { $0.value > 0 } }

    /// Whether the write with this dot is among those seen.
    package func contains(_ dot: Dot) -> Bool { dot.counter <= counters[dot.replica, default: 0] }

    /// Notes a write as seen.
    package mutating func insert(_ dot: Dot) {
        counters[dot.replica] = max(counters[dot.replica, default: 0], dot.counter)
    }

    /// Takes the maximum of both, replica by replica.
    package mutating func formUnion(_ other: VersionVector) {
        counters.merge(other.counters, uniquingKeysWith: max)
    }

    /// Whether everything in `other` is seen here too.
    package func isSuperset(of other: VersionVector) -> Bool {
        other.counters.allSatisfy { counters[$0.key, default: 0] >= $0.value }
    }
}
