import Foundation
import Wire

/// Before a word is said, and between the words.
extension Behaviour {
    static let connections: [Behaviour] = [
        Behaviour("garbage in place of TLS") { attack in
            let peer = try attack.connected()
            peer.send(raw: (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            return peer
        },
        Behaviour("half a greeting of TLS, and then silence") { attack in
            let peer = try attack.connected()
            peer.send(raw: Array(try peer.cipher([]).prefix(100)))
            return peer
        },
        Behaviour("a key that is not listed", ends: "") { attack in
            let peer = try HostilePeer(key: attack.strangeKey, port: attack.port)
            peer.shakeHands()
            return peer
        },
        Behaviour("fifty strangers one after the other") { attack in
            for _ in 0..<50 { try HostilePeer(key: attack.strangeKey, port: attack.port).shakeHands() }
            return nil
        },
        Behaviour("a flood of connections") { attack in
            let sockets = (0..<300).compactMap { _ in try? Socket.loopback(attack.port) }
            waitALittle(0.3)
            for socket in sockets { socket.shutDown() }
            return nil
        },
        Behaviour("half a TLS record, and then silence") { attack in
            let peer = try attack.loggedIn()
            let cipher = try peer.cipher([UInt8](repeating: 0, count: 1000))
            peer.send(raw: Array(cipher.prefix(cipher.count / 2)))
            return nil
        },
        Behaviour("a TLS record that was tampered with", ends: "") { attack in
            let peer = try attack.loggedIn()
            var cipher = try peer.cipher([UInt8](repeating: 0, count: 1000))
            cipher[500] ^= 1
            peer.send(raw: cipher)
            return peer
        },
        Behaviour("TLS records of one byte each") { attack in
            let peer = try attack.loggedIn()
            let text = Attack.batch([Attack.odd("x", "1", uid: "one-by-one")])
            let frame = try FrameEncoder(compression: nil).encode(
                Frame(kind: .batch, payload: Array(text.utf8))
            )
            for byte in frame { peer.send(plain: [byte]) }
            try peer.waitAcknowledged()
            return nil
        },
        Behaviour("logging in and leaving, again and again") { attack in
            for _ in 0..<30 { try attack.loggedIn().close() }
            return nil
        },
        Behaviour("logging in more often than anyone needs to", ends: "logins a second") { attack in
            for _ in 0..<(WireLimits.loginBurst + 40) { try attack.loggedIn().close() }
            return try attack.loggedIn()
        },
        Behaviour("twice at a time", ends: "replaced by a newer connection") { attack in
            let first = try attack.loggedIn()
            _ = try attack.loggedIn()
            return first
        },
        Behaviour("not reading what it asks for") { attack in
            let peer = try attack.loggedIn()
            let sums = String(repeating: "1", count: 32 * 4096)
            let text = #"{"book":"\#(Machine.book)","purpose":"verify","sums":"\#(sums)"}"#
            for _ in 0..<WireLimits.comparisonBurst { peer.send(compressed: .buckets, Array(text.utf8)) }
            waitALittle(0.5)
            return nil
        },
    ]
}
