package import Replication

/// This start of this daemon: gives dots and times, for all books.
package final class Replica {
    /// The ID of this start; a new one where somebody knows more of it than it does.
    package private(set) var id: ReplicaID
    /// Writes given out so far.
    package private(set) var counter: UInt64 = 0
    package private(set) var clock: HybridClock
    /// How much was given out under the IDs before this one, the oldest first.
    private var former: [Dot] = []
    /// A new ID is rare; whoever makes us take more than this many is making them up.
    private static let formerLimit = 16
    /// When an ID was given up, milliseconds since 1970, of the last hour.
    private var renewals: [UInt64] = []
    /// New IDs in an hour: clones of one machine need one each; whoever makes us take more than this is making it up.
    package static let renewalsPerHour = 10
    /// Hears of a new ID before it is used.
    package var onRenew: (ReplicaID) -> Void = { _ in }
    private let wallClock: () -> UInt64
    private let random: () -> UInt64

    /// - Parameters:
    ///   - latest: the highest time that an earlier start gave out.
    ///   - wallClock: milliseconds since 1970.
    ///   - random: 64 random bits.
    package init(
        latest: HybridTime,
        wallClock: @escaping () -> UInt64,
        random: @escaping () -> UInt64
    ) {
        id = ReplicaID(random())
        clock = HybridClock(latest: latest)
        self.wallClock = wallClock
        self.random = random
    }

    /// The wall clock, milliseconds since 1970.
    package var now: UInt64 { wallClock() }

    /// The next dot. It is used only in what is committed before it is seen elsewhere.
    package func mint() -> Dot {
        counter += 1
        return Dot(replica: id, counter: counter)
    }

    /// A time later than all before.
    package func tick() -> HybridTime { clock.tick(now: now) }

    /// Takes note of the times in a record from elsewhere.
    package func observe(_ record: Record) {
        let now = now
        for versions in record.fields.values {
            for version in versions.values { clock.observe(version.time, now: now) }
        }
    }

    /// Of our own IDs, former ones included, those of which somebody has seen more than was given out: a copy of this
    /// process gave it out.
    package func overcounted(in seen: VersionVector) -> Set<ReplicaID> {
        let given = former + [Dot(replica: id, counter: counter)]
        return Set(
            given.filter { seen.counters[$0.replica, default: 0] > $0.counter }.map(\.replica)
        )
    }

    /// Whether another ID may be taken now.
    package var mayRenew: Bool {
        let hourAgo = now > 3_600_000 ? now - 3_600_000 : 0
        return renewals.count { $0 > hourAgo } < Self.renewalsPerHour
    }

    /// Takes another ID, since a counter of this one was seen that it never gave out.
    package func renew() {
        former = (former + [Dot(replica: id, counter: counter)]).suffix(Self.formerLimit)
        id = ReplicaID(random())
        counter = 0
        renewals = (renewals + [now]).suffix(Self.renewalsPerHour)
        onRenew(id)
    }
}
