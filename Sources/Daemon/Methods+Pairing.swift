import Config
import Controllers
import EventLoop
import JSON
import Wire

/// `pair` and `unpair`.
///
/// `pair` with digits is two questions on one connection: the first is answered with the digits as soon as both sides
/// have them, the second says whether the person found them equal and is answered when both have. Whoever leaves the
/// connection in between has gone away.
extension Methods {
    func pair(
        _ parameters: Parameters,
        _ caller: SocketServer.Connection,
        _ answer: @escaping Answer
    ) throws(RPCError) {
        if let isEqual = parameters.object["confirm"]?.bool {
            return try confirm(isEqual, try parameters.text("digits"), caller, answer)
        }
        let terms = PairingController.Terms(
            books: try offered(parameters),
            access: parameters.flag("read-only") ? .read : .write
        )
        if parameters.flag("invite") { return answer(.success(try invite(parameters, terms))) }
        caller.onEnd = { [weak self, weak caller] in
            guard let self, let caller, pairingCaller === caller else { return }
            daemon.pairing.cancel()
        }
        let report = { [weak self] (progress: PairingController.Progress) in
            guard let self else { return }
            self.report(progress)
        }
        guard let text = try parameters.optional("address") else {
            guard daemon.hub.port != nil else {
                throw .refused(
                    "`listen` is off here, so nobody can come; wait on the other machine and say `contactsync pair HOST` here"
                )
            }
            daemon.pairing.wait(terms, report)
            (pairingCaller, pairingAnswer, pairingFailure) = (caller, answer, nil)
            return
        }
        if text.hasPrefix(Invitation.scheme) {
            guard let invitation = Invitation(text) else {
                throw .invalidParams("this is no whole invitation; copy all that `pair --invite` printed")
            }
            let address = Configuration.Peer.Address(host: invitation.host, port: invitation.port)
            let way = PairingMachine.Way.invitation(secret: invitation.secret)
            daemon.pairing.dial(address, by: way, device: invitation.device, terms, report)
        } else {
            let address: Configuration.Peer.Address
            do { address = try Configuration.Peer.Address(text) } catch {
                throw .invalidParams("\(text): \(error.reason); write it as desktop.lan:8749")
            }
            daemon.pairing.dial(address, by: .digits, device: nil, terms, report)
        }
        (pairingCaller, pairingAnswer, pairingFailure) = (caller, answer, nil)
    }

    func unpair(_ parameters: Parameters, _ answer: @escaping Answer) throws(RPCError) {
        let peer = try daemon.unpair(try parameters.text("peer"))
        answer(.success(["unpaired": ["name": .string(peer.name), "device": .string(peer.id)]]))
    }

    private func confirm(
        _ isEqual: Bool,
        _ digits: String,
        _ caller: SocketServer.Connection,
        _ answer: @escaping Answer
    ) throws(RPCError) {
        guard pairingCaller === caller, pairingAnswer == nil else { throw .refused(Self.nothingToConfirm) }
        if let pairingFailure { throw .refused(pairingFailure) }
        pairingAnswer = answer
        guard daemon.pairing.answer(isEqual, to: digits) else {
            pairingAnswer = nil
            throw .refused(Self.nothingToConfirm)
        }
    }

    private static let nothingToConfirm =
        "no digits wait here for an answer; say `contactsync pair` again on both machines"

    private func report(_ progress: PairingController.Progress) {
        let waiting = pairingAnswer
        pairingAnswer = nil
        switch progress {
        case .digits(let digits, let device, let address):
            waiting?(
                .success([
                    "digits": .string(digits), "device": .string(device), "address": .string(address),
                ])
            )
        case .paired(let peer, let isReadOnlyThere):
            pairingCaller = nil
            waiting?(.success(["paired": Self.json(peer, isReadOnlyThere)]))
        case .failed(let reason):
            // Said at once, or when the person answers to digits that are of no use any more.
            pairingFailure = "the machines are not paired: \(reason); try again with `contactsync pair`"
            waiting?(
                .failure(
                    .refused("the machines are not paired: \(reason); try again with `contactsync pair`")
                )
            )
        }
    }

    private static func json(_ peer: Configuration.Peer, _ isReadOnlyThere: Bool) -> JSONValue {
        [
            "name": .string(peer.name), "device": .string(peer.id),
            "books": .array(peer.books.map { .string($0) }),
            "address": peer.address.map { .string($0.text) } ?? .null,
            "access": .string(peer.access.rawValue), "readOnlyThere": .bool(isReadOnlyThere),
        ]
    }

    private func invite(_ parameters: Parameters, _ terms: PairingController.Terms) throws(RPCError)
        -> JSONValue
    {
        guard let port = daemon.hub.port else {
            throw .refused(
                "`listen` is off here, so nobody can use an invitation; invite from the other side"
            )
        }
        var host = try parameters.optional("host")
        if host == nil, case .at(let listening, _) = daemon.configuration.listen,
            !["::", "0.0.0.0"].contains(listening)
        {
            host = listening
        }
        let own = host ?? HostAddress.reachable.first ?? daemon.configuration.name
        let invitation = daemon.pairing.invite(host: own, port: port, terms)
        let end = Surroundings.wallClock() + PairingController.invitationTime
        return ["address": .string(invitation.text), "expires": .string(Timestamp.text(end))]
    }

    /// The books to offer: those that were named, else all.
    private func offered(_ parameters: Parameters) throws(RPCError) -> [String] {
        let all = daemon.books.map(\.name)
        guard !all.isEmpty else {
            throw .refused("there is no book here to share; add a table [books.NAME] to the configuration")
        }
        guard parameters.object["book"] != nil else { return all }
        let named = try parameters.texts("book")
        for name in named where !all.contains(name) {
            throw .no("there is no book \(name); name one of: \(all.joined(separator: ", "))")
        }
        return all.filter(named.contains)
    }
}
