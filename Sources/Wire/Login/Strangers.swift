/// Who comes without having logged in yet: how many may at a time, how often from one network, and who was refused.
package struct Strangers: Sendable {
    /// Connections before their login, at a time: with `bytes` each, all strangers together cost some megabytes.
    package static let atOnce = 64
    /// The same from one network: one machine cannot take all places.
    package static let atOncePerNetwork = 16
    /// Connections without a login that one network may open in a row: more than a restless peer needs. Not counted
    /// where a peer is connected from, so that its housemates cannot lock it out.
    package static let burst = 60
    /// After those, one every so often, milliseconds.
    package static let interval: UInt64 = 1000
    /// Networks that are remembered; those that rested longest make room.
    package static let networks = 1024
    /// Bytes that are taken from one before its login: its part of the handshake and the largest hello fit.
    package static let bytes = 96 << 10
    /// Refused devices that the status shows.
    package static let refusedShown = 32

    /// A device that was refused: a mere claim, as it did not have to prove that the key is its own.
    package struct Refused: Hashable, Sendable {
        /// The device ID.
        package let device: String
        /// Where it came from last.
        package var address: String
        /// When it came last, milliseconds since 1970.
        package var time: UInt64
        /// How often it came.
        package var count: Int
    }

    private struct Network: Sendable {
        var open = 0
        /// Connections that have logged in.
        var peers = 0
        /// When what it has opened would be paid for at one every `interval`.
        var paid: UInt64 = 0

        var isBusy: Bool { open > 0 || peers > 0 }
    }

    private var known: [String: Network] = [:]
    private var open = 0
    /// Newest first.
    package private(set) var refused: [Refused] = []
    /// Connections that were closed unseen, because there were too many.
    package private(set) var turnedAway = 0

    package init() {}

    /// Whether a connection from a network is taken; it counts as open then until `left` or `loggedIn`.
    ///
    /// - Parameter now: a clock that never goes back, milliseconds.
    package mutating func mayCome(from network: String, now: UInt64) -> Bool {
        var entry = known[network] ?? Network()
        let paid = max(entry.paid, now) + Self.interval
        guard open < Self.atOnce, entry.open < Self.atOncePerNetwork,
            entry.peers > 0 || paid - now <= UInt64(Self.burst) * Self.interval
        else {
            turnedAway += 1
            return false
        }
        entry.open += 1
        if entry.peers == 0 { entry.paid = paid }
        open += 1
        if known[network] == nil, known.count >= Self.networks { makeRoom(now) }
        known[network] = entry
        return true
    }

    /// One that was let come ended without a login.
    package mutating func left(_ network: String) {
        guard open > 0, let entry = known[network], entry.open > 0 else { return }
        open -= 1
        known[network]?.open -= 1
    }

    /// A connection has logged in; one that was let come is no stranger any more, and counts for nothing.
    ///
    /// - Parameters:
    ///   - wasLetCome: false for one that was dialled.
    ///   - isTooMany: its device logs in too often, so that it counts as one that has not.
    package mutating func loggedIn(_ network: String, wasLetCome: Bool, isTooMany: Bool = false) {
        if wasLetCome { left(network) }
        if wasLetCome, !isTooMany {
            let paid = known[network]?.paid ?? 0
            known[network]?.paid = paid > Self.interval ? paid - Self.interval : 0
        }
        known[network, default: Network()].peers += 1
    }

    /// A connection that had logged in has ended.
    package mutating func loggedOut(_ network: String) {
        guard let entry = known[network], entry.peers > 0 else { return }
        known[network]?.peers -= 1
    }

    /// A device was refused.
    ///
    /// - Parameter time: milliseconds since 1970.
    /// - Returns: whether it is new here.
    package mutating func refuse(_ device: String, from address: String, time: UInt64) -> Bool {
        let count = refused.first { $0.device == device }?.count ?? 0
        refused.removeAll { $0.device == device }
        refused.insert(Refused(device: device, address: address, time: time, count: count + 1), at: 0)
        if refused.count > Self.refusedShown { refused.removeLast() }
        return count == 0
    }

    /// A device is a peer now.
    package mutating func forget(_ device: String) { refused.removeAll { $0.device == device } }

    /// Takes one out that rests; where none does, those that are open and the peers are few.
    private mutating func makeRoom(_ now: UInt64) {
        known = known.filter { $0.value.isBusy || $0.value.paid > now }
        guard known.count >= Self.networks else { return }
        if let rested = known.filter({ !$0.value.isBusy }).min(by: { $0.value.paid < $1.value.paid }) {
            known[rested.key] = nil
        }
    }
}
