import Compression
import Wire

/// Before both know each other.
extension Behaviour {
    /// TLS stands, hello is not said.
    private static func met(_ attack: Attack) throws -> HostilePeer {
        let peer = try attack.connected()
        guard peer.shakeHands() else { throw Failure("no TLS") }
        return peer
    }

    static let logins: [Behaviour] = [
        Behaviour("data before hello", ends: "hello comes first") { attack in
            let peer = try met(attack)
            peer.send(.follow(book: Machine.book, after: nil))
            return peer
        },
        Behaviour("hello twice", ends: "second hello") { attack in
            let peer = try attack.loggedIn()
            peer.send(HostilePeer.hello())
            return peer
        },
        Behaviour("a hello beyond what is allowed before login", ends: "are allowed") { attack in
            let peer = try met(attack)
            peer.send(kind: FrameKind.hello.rawValue, length: WireLimits.frameBytesBeforeLogin + 1, [])
            return peer
        },
        Behaviour("a compressed hello", ends: "a compressed frame where none is allowed") { attack in
            let peer = try met(attack)
            peer.send(compressed: .hello, Array("{}".utf8))
            return peer
        },
        Behaviour(
            "a version that nobody speaks",
            ends: "no common protocol version"
        ) { attack in
            let peer = try met(attack)
            peer.send(HostilePeer.hello(versions: [2, 3, 4_000_000_000]))
            return peer
        },
        Behaviour("negative counts in a hello", ends: "versions is not") { attack in
            let peer = try met(attack)
            peer.send(.hello, #"{"versions":[-1],"device":"x","start":"0000000000000001","books":[]}"#)
            return peer
        },
        Behaviour("wrong types in a hello", ends: "hello: ") { attack in
            let peer = try met(attack)
            peer.send(.hello, #"{"versions":{"1":1},"device":7,"start":null,"books":"personal"}"#)
            return peer
        },
        Behaviour("too many books", ends: "more than \(WireLimits.books)") { attack in
            let peer = try met(attack)
            peer.send(HostilePeer.hello(books: (0...WireLimits.books).map { "\($0)" }))
            return peer
        },
        Behaviour("a name that steers terminals") { attack in
            let peer = try met(attack)
            peer.send(HostilePeer.hello(device: "\u{1B}]0;x\u{07}\u{1B}[2J\n<0>forged line\u{9B}31m\u{202E}"))
            _ = peer.next()
            peer.send(.bye(reason: "\n<0>a forged line\u{1B}[2J\u{9B}31m"))
            return nil
        },
        Behaviour("bye before hello") { attack in
            let peer = try met(attack)
            peer.send(.bye(reason: "never mind"))
            return nil
        },
    ]
}
