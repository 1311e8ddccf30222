import AddressBook
import Config
import Controllers
import JSON
import Wire

/// Who the peers are: those of the configuration and those that people paired.
extension Daemon {
    /// Takes the peers as configuration and state name them now.
    func configurePeers() {
        for peer in configuration.peers where paired.isUnpaired(peer.id) {
            log.warning(
                "\(configuration.file):\(peer.line): \(peer.name) was unpaired here and stays refused; `contactsync pair` takes that back"
            )
        }
        hub.configure(paired.all(beside: configuration.peers, books: configuration.books.map(\.name)))
    }

    /// Stores a peer that was paired; `done` gets it, with its name here, when that is durable.
    func store(_ peer: Configuration.Peer, _ done: @escaping (Configuration.Peer) -> Void) {
        var peer = peer
        if let listed = configuration.peers.first(where: { $0.id == peer.id }) {
            // The file counts; pairing only takes back that it was unpaired.
            paired.forget(peer.id)
            peer = listed
        } else {
            peer.name = PairedPeers.freeName(
                peer.name,
                in: paired.all(beside: configuration.peers, books: []).filter { $0.id != peer.id }
            )
            paired.pair(peer)
        }
        storePeers { done(peer) }
    }

    /// Refuses a peer from now on: its connection ends, what it gave stays.
    ///
    /// - Throws: if there is none of this name or device ID, or the configuration names it.
    func unpair(_ who: String, _ done: @escaping (Configuration.Peer) -> Void) throws(RPCError) {
        let all = hub.peers.values.map(\.configuration)
        let fitting = all.filter { $0.name == who || $0.id == who.lowercased() }
        guard let peer = fitting.first else {
            let names = all.map(\.name).sorted().joined(separator: ", ")
            throw .no("there is no peer \(who)\(names.isEmpty ? "" : "; there are: \(names)")")
        }
        if let listed = configuration.peers.first(where: { $0.id == peer.id }) {
            throw .refused(
                "\(listed.name) stands in \(configuration.file), line \(listed.line); remove [peers.\(listed.name)] there, then `systemctl --user reload contactsync`, or send contactsyncd a SIGHUP"
            )
        }
        paired.unpair(peer.id, name: peer.name, time: Surroundings.wallClock())
        storePeers { done(peer) }
    }

    private func storePeers(_ done: @escaping () -> Void) {
        let bytes = paired.bytes
        committer.stage { $0.meta.append((PairedPeers.key, bytes)) }
        configurePeers()
        whenCommitted(done)
    }

    /// What the status says about pairing; nil if there is nothing to say.
    func pairingStatus() -> JSONValue {
        let failure = pairing.lastFailure.map { failed -> JSONValue in
            [
                "address": .string(failed.address), "device": failed.device.map { .string($0) } ?? .null,
                "reason": .string(failed.reason), "time": .string(Timestamp.text(failed.time)),
            ]
        }
        return [
            "waiting": .bool(pairing.isWaiting), "invitations": .number(pairing.invitationCount),
            "lastFailure": failure ?? .null,
        ]
    }

    /// The devices that were unpaired, for the status.
    func unpairedStatus() -> JSONValue {
        .array(
            paired.unpaired.map {
                [
                    "device": .string($0.device), "name": .string($0.name),
                    "time": .string(Timestamp.text($0.time)),
                ]
            }
        )
    }
}
