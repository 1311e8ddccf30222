import Config
import Controllers
import JSON
import Storage
import Wire

/// Who the peers are: those of the configuration and those that people paired.
extension Daemon {
    /// Takes the peers as configuration and state name them now.
    func configurePeers(renewing books: Set<String> = []) {
        for peer in configuration.peers where paired.isUnpaired(peer.id) {
            log.warning(
                "\(configuration.file):\(peer.line): \(peer.name) was unpaired here and stays refused; `contactsync pair` takes that back"
            )
        }
        hub.configure(
            paired.all(beside: configuration.peers, books: configuration.books.map(\.name)),
            renewing: books
        )
    }

    /// Reads who was paired.
    static func paired(in directory: String) throws(StartError) -> PairedPeers {
        let file = StateFile(PairedPeers.file, in: directory)
        do {
            return try file.read().map { bytes throws(PairedPeers.Flaw) in try PairedPeers(bytes) }
                ?? PairedPeers()
        } catch is PairedPeers.Flaw {
            throw StartError(
                message: "\(file.path) is damaged; put a copy in its place, or move it away and pair again"
            )
        } catch { throw StartError(message: "\(error); see `contactsync doctor`") }
    }

    /// Stores a peer that was paired, durably.
    ///
    /// - Returns: the peer with its name here.
    func store(_ peer: Configuration.Peer) throws(StorageError) -> Configuration.Peer {
        var (peer, next) = (peer, paired)
        if let listed = configuration.peers.first(where: { $0.id == peer.id }) {
            // The file counts; pairing only takes back that it was unpaired.
            next.forget(peer.id)
            peer = listed
        } else {
            peer.name = PairedPeers.freeName(
                peer.name,
                in: paired.all(beside: configuration.peers, books: []).filter { $0.id != peer.id }
            )
            next.pair(peer)
        }
        try store(next)
        return peer
    }

    /// Refuses a peer from now on: its connection ends, what it gave stays.
    ///
    /// - Throws: if there is none of this name or device ID, or the configuration names it.
    func unpair(_ who: String) throws(RPCError) -> Configuration.Peer {
        let all = hub.peers.values.map(\.configuration)
        guard let peer = all.first(where: { $0.name == who || $0.id == who.lowercased() }) else {
            if let gone = paired.unpaired.first(where: { $0.name == who || $0.device == who.lowercased() }) {
                throw .no("\(gone.name) was unpaired already, and is refused until `contactsync pair`")
            }
            let names = all.map(\.name).sorted().joined(separator: ", ")
            throw .no(
                "there is no peer \(who)\(names.isEmpty ? "; see `contactsync peers`" : "; name one of: \(names)")"
            )
        }
        if let listed = configuration.peers.first(where: { $0.id == peer.id }) {
            let pairedToo = paired.paired.first { $0.id == peer.id }.map {
                ", and say `contactsync unpair \($0.name)` then, as it was paired too"
            }
            throw .refused(
                "\(listed.name) stands in \(configuration.file), line \(listed.line); remove [peers.\(listed.name)] there, then `systemctl --user reload contactsync`, or send contactsyncd a SIGHUP\(pairedToo ?? "")"
            )
        }
        var next = paired
        next.unpair(peer.id, name: peer.name, time: Surroundings.wallClock())
        do { try store(next) } catch {
            throw .refused("\(peer.name) is still a peer: \(error); make room, and say it again")
        }
        log.info("\(peer.name) was unpaired, device \(peer.id)")
        return peer
    }

    private func store(_ next: PairedPeers) throws(StorageError) {
        try StateFile(PairedPeers.file, in: configuration.state).write(next.bytes)
        paired = next
        configurePeers()
    }

    /// What the status says about pairing.
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

    /// The devices that came and were refused, newest first, for the status.
    func refusedStatus() -> JSONValue {
        .array(
            hub.strangers.refused.map { refused in
                let name = paired.unpaired.first { $0.device == refused.device }?.name
                return [
                    "device": .string(refused.device), "address": .string(refused.address),
                    "time": .string(Timestamp.text(refused.time)), "count": .number(refused.count),
                    "name": name.map { .string($0) } ?? .null,
                ]
            }
        )
    }

    /// The devices that were unpaired, for the status.
    func unpairedStatus() -> JSONValue {
        .array(
            paired.unpaired.map { unpaired in
                // The line of the configuration that still names it, and has no effect.
                let line = configuration.peers.first { $0.id == unpaired.device }?.line
                return [
                    "device": .string(unpaired.device), "name": .string(unpaired.name),
                    "time": .string(Timestamp.text(unpaired.time)),
                    "line": line.map { .number($0) } ?? .null,
                ]
            }
        )
    }
}
