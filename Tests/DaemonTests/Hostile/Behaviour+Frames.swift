import Compression
import JSON
import Wire

/// Frames that are none.
extension Behaviour {
    static let frames: [Behaviour] = [
        Behaviour("a frame cut off") { attack in
            let peer = try attack.loggedIn()
            peer.send(kind: FrameKind.batch.rawValue, length: 1000, [1, 2, 3])
            peer.close()
            return nil
        },
        Behaviour("a frame of four gigabytes", ends: "are allowed") { attack in
            let peer = try attack.loggedIn()
            peer.send(kind: FrameKind.batch.rawValue, length: Int(UInt32.max), [])
            return peer
        },
        Behaviour("a frame of one byte too many", ends: "are allowed") { attack in
            let peer = try attack.loggedIn()
            peer.send(kind: FrameKind.batch.rawValue, length: WireLimits.frameBytes + 1, [])
            return peer
        },
        Behaviour("a kind that nobody knows", ends: "kind 99 is not known") { attack in
            let peer = try attack.loggedIn()
            peer.send(kind: 99, Array("{}".utf8))
            return peer
        },
        Behaviour("flags that nobody knows", ends: "flags 128 are not known") { attack in
            let peer = try attack.loggedIn()
            peer.send(kind: FrameKind.ack.rawValue, flags: 128, Array("{}".utf8))
            return peer
        },
        Behaviour("a zip bomb", ends: "a compressed frame cannot be read") { attack in
            let peer = try attack.loggedIn()
            peer.send(compressed: .batch, [UInt8](repeating: UInt8(ascii: " "), count: 256 << 20))
            return peer
        },
        Behaviour("a compressed frame that is damaged", ends: "a compressed frame cannot be read") { attack in
            let peer = try attack.loggedIn()
            var small = Zstd.compress([UInt8](repeating: 7, count: 100_000))
            small[small.count / 2] ^= 0xFF
            peer.send(kind: FrameKind.batch.rawValue, flags: 1, small)
            return peer
        },
        Behaviour("no JSON", ends: "cannot be read") { attack in
            let peer = try attack.loggedIn()
            peer.send(.batch, "{\"book\": ")
            return peer
        },
        Behaviour("no payload at all", ends: "cannot be read") { attack in
            let peer = try attack.loggedIn()
            peer.send(.follow, "")
            return peer
        },
        Behaviour("a list in place of an object", ends: "no object") { attack in
            let peer = try attack.loggedIn()
            peer.send(.batch, "[1, 2, 3]")
            return peer
        },
        Behaviour("a hundred thousand levels", ends: "cannot be read") { attack in
            let peer = try attack.loggedIn()
            peer.send(.batch, "{\"x\":" + String(repeating: "[", count: 100_000))
            return peer
        },
        Behaviour("as many fields as fit", ends: "cannot be read") { attack in
            let peer = try attack.loggedIn()
            // Two billion do not even fit; with their values these are above what the length would allow.
            let fields = (0..<530_000).map { "\"\(String($0, radix: 36))\":0" }.joined(separator: ",")
            peer.send(compressed: .batch, Array("{\(fields)}".utf8))
            return peer
        },
        Behaviour("as many values as fit", ends: "cannot be read") { attack in
            let peer = try attack.loggedIn()
            let zeros = String(repeating: "0,", count: 8_000_000)
            peer.send(compressed: .batch, Array("{\"x\":[\(zeros)0]}".utf8))
            return peer
        },
        Behaviour("half a surrogate pair", ends: "cannot be read") { attack in
            let peer = try attack.loggedIn()
            peer.send(.batch, Attack.batch([Attack.odd("x", #""\ud83d""#, uid: "surrogate")]))
            return peer
        },
        Behaviour("bytes that are no UTF-8", ends: "cannot be read") { attack in
            let peer = try attack.loggedIn()
            peer.send(
                kind: FrameKind.bye.rawValue,
                Array("{\"reason\":\"".utf8) + [0xC0, 0xAF] + Array("\"}".utf8)
            )
            return peer
        },
        Behaviour("a name of a megabyte given twice, for the log", ends: "cannot be read") { attack in
            let peer = try attack.loggedIn()
            let name = String(repeating: "n", count: 1 << 20)
            peer.send(compressed: .batch, Array(#"{"\#(name)":1,"\#(name)":2}"#.utf8))
            return peer
        },
        Behaviour("a name given twice", ends: "cannot be read") { attack in
            let peer = try attack.loggedIn()
            peer.send(.ack, #"{"book":"personal","seq":1,"seq":2}"#)
            return peer
        },
        Behaviour("an endless frame, a byte at a time") { attack in
            let peer = try attack.loggedIn()
            peer.send(kind: FrameKind.batch.rawValue, length: WireLimits.frameBytes, [])
            for _ in 0..<200 { peer.send(plain: [UInt8(ascii: " ")]) }
            return nil
        },
    ]
}
