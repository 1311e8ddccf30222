import Config
import EventLoop

extension Doctor {
    /// Milliseconds that the way to all peers may take.
    private static let patience: UInt64 = 4000

    /// Our port, and the way to each peer.
    mutating func lookAtPeers(except known: Set<String>, isRunning: Bool) {
        for peer in configuration.peers {
            if peer.books.isEmpty {
                find(
                    .error,
                    "\(configuration.file):\(peer.line): the peer \(peer.name) shares no book; name one under `books`",
                    mend: Finding.edit(configuration.file, line: peer.line)
                )
            }
            if peer.address == nil, configuration.listen == .off {
                find(
                    .error,
                    "\(configuration.file):\(peer.line): the peer \(peer.name) has no address and `listen` is off, so neither can reach the other; give one of both",
                    mend: Finding.edit(configuration.file, line: peer.line)
                )
            }
        }
        // One loop for all: what waits, waits at the same time.
        guard let loop = try? EventLoop() else { return }
        let tried = Tried()
        if case .at(let host, let port) = configuration.listen, port != 0, !isRunning {
            do throws(LoopError) {
                let listener = try loop.listen(host: host, port: port) { $0.close() }
                listener.close()
            } catch { tried.listening = error }
        }
        let asked = configuration.peers.filter { $0.address != nil && !known.contains($0.name) }
        for peer in asked {
            guard let address = peer.address else { continue }
            loop.connect(host: address.host, port: address.port) { result in
                switch result {
                case .success(let stream):
                    stream.close()
                    tried.failures.removeValue(forKey: peer.name)
                case .failure(let error): tried.failures[peer.name] = error
                }
                tried.open -= 1
                if tried.open == 0 { loop.stop() }
            }
            tried.open += 1
            tried.failures[peer.name] = .some(nil)
        }
        if tried.open > 0 {
            _ = loop.after(Self.patience) { loop.stop() }
            loop.run()
        }
        if let error = tried.listening { tell(listening: error) }
        for peer in asked {
            guard let address = peer.address, let outcome = tried.failures[peer.name] else { continue }
            tell(peer, address, outcome)
        }
    }

    /// What came of the tries.
    private final class Tried {
        var listening: LoopError?
        var open = 0
        /// By peer: the error, or that there was no answer yet; who was reached is not in it.
        var failures: [String: LoopError?] = [:]
    }

    private mutating func tell(listening error: LoopError) {
        guard case .at(_, let port) = configuration.listen else { return }
        find(
            .error,
            "peers cannot be accepted: \(error.description); is another program using port \(port)?",
            mend: "ss -ltnp 'sport = :\(port)'"
        )
    }

    private mutating func tell(
        _ peer: Configuration.Peer,
        _ address: Configuration.Peer.Address,
        _ error: LoopError?
    ) {
        let place = "\(configuration.file):\(peer.line)"
        guard let error else {
            return find(
                .warning,
                "\(place): \(peer.name) does not answer at \(address.text) within \(Self.patience / 1000) s; is it on, and does its firewall let port \(address.port) through?",
                mend: "ping -c 3 \(ShellWord.quoted(address.host))"
            )
        }
        switch error.name {
        case "ECONNREFUSED":
            find(
                .warning,
                "\(peer.name) is on, but contactsyncd does not listen at \(address.text) there; start it",
                mend: "ssh \(ShellWord.quoted(address.host)) systemctl --user start contactsync"
            )
        case let name where name.hasPrefix("EAI_"):
            find(
                .error,
                "\(place): the address of \(peer.name) is not known here: \(error.description); write a name or a number that is",
                mend: Finding.edit(configuration.file, line: peer.line)
            )
        default:
            find(
                .warning,
                "\(place): \(peer.name) cannot be reached: \(error.description); is it on, and is this machine in the same network?",
                mend: "ping -c 3 \(ShellWord.quoted(address.host))"
            )
        }
    }
}
