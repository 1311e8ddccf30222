import JSON
import Testing
import TestSupport
import Wire

@Suite("Frames")
struct FrameTests {
    private func header(_ length: Int, kind: UInt8 = 12, flags: UInt8 = 0) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + [kind, flags]
    }

    private func decoder(loggedIn: Bool = true) -> FrameDecoder {
        var decoder = FrameDecoder(compression: .runs)
        if loggedIn { decoder.loggedIn() }
        return decoder
    }

    @Test("whatever the pieces, the same frames come out", arguments: UInt64(1)...20)
    func pieces(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let encoder = FrameEncoder(compression: .runs)
        var frames: [Frame] = []
        var bytes: [UInt8] = []
        for _ in 0..<20 {
            let size = random.chance(0.3) ? random.below(5000) : random.below(20)
            let payload = [UInt8](repeating: UInt8(random.below(256)), count: size)
            let kind = FrameKind.allCases[random.below(FrameKind.allCases.count)]
            frames.append(Frame(kind: kind, payload: payload))
            bytes += try encoder.encode(frames[frames.count - 1])
        }
        var decoder = decoder()
        var out: [Frame] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(1 + random.below(700))
            rest = rest.dropFirst(piece.count)
            decoder.feed(piece)
            while let frame = try decoder.next() { out.append(frame) }
        }
        #expect(out == frames)
        #expect(decoder.pendingBytes == 0)
    }

    @Test("payloads above 1 KiB are compressed where that helps, hello never")
    func compression() throws {
        let encoder = FrameEncoder(compression: .runs)
        func flag(_ kind: FrameKind, _ payload: [UInt8]) throws -> UInt8 {
            try encoder.encode(Frame(kind: kind, payload: payload))[5]
        }
        let edge = WireLimits.compressAbove
        #expect(try flag(.batch, .init(repeating: 7, count: edge)) == 0)
        #expect(try flag(.batch, .init(repeating: 7, count: edge + 1)) == 1)
        #expect(try flag(.batch, (0...edge).map { UInt8(truncatingIfNeeded: $0) }) == 0)
        #expect(try flag(.hello, .init(repeating: 7, count: 5 * edge)) == 0)
    }

    @Test("a length beyond the limit is refused at the header", arguments: [false, true])
    func limits(loggedIn: Bool) throws {
        let limit = loggedIn ? WireLimits.frameBytes : WireLimits.frameBytesBeforeLogin
        for length in [limit - 1, limit] {
            var decoder = decoder(loggedIn: loggedIn)
            decoder.feed(header(length))
            #expect(try decoder.next() == nil)
        }
        var decoder = decoder(loggedIn: loggedIn)
        decoder.feed(header(limit + 1))
        #expect(throws: WireError.frameTooLarge(bytes: limit + 1, limit: limit)) { try decoder.next() }
    }

    @Test("the encoder keeps to the limits that the decoder checks")
    func encoderLimits() throws {
        let encoder = FrameEncoder(compression: nil)
        let early = WireLimits.frameBytesBeforeLogin
        #expect(throws: Never.self) {
            try encoder.encode(Frame(kind: .hello, payload: .init(repeating: 1, count: early)))
        }
        #expect(throws: WireError.frameTooLarge(bytes: early + 1, limit: early)) {
            try encoder.encode(Frame(kind: .hello, payload: .init(repeating: 1, count: early + 1)))
        }
        let limit = WireLimits.frameBytes
        #expect(throws: WireError.frameTooLarge(bytes: limit + 1, limit: limit)) {
            try encoder.encode(Frame(kind: .batch, payload: .init(repeating: 1, count: limit + 1)))
        }
    }

    @Test("unknown kinds and flags, and compression at the wrong time, end it")
    func faults() {
        func fault(_ bytes: [UInt8], loggedIn: Bool = true, _ error: WireError) {
            var decoder = decoder(loggedIn: loggedIn)
            decoder.feed(bytes)
            #expect(throws: error) { try decoder.next() }
        }
        fault(header(1, kind: 0), .unknownKind(0))
        fault(header(1, kind: 99), .unknownKind(99))
        fault(header(1, flags: 2), .unknownFlags(2))
        fault(header(1, flags: 1), loggedIn: false, .compressionRefused)
        fault(header(1, flags: 1) + [1], .decompression(reason: "odd"))
        var plain = FrameDecoder(compression: nil)
        plain.loggedIn()
        plain.feed(header(1, flags: 1))
        #expect(throws: WireError.compressionRefused) { try plain.next() }
    }

    @Test("a small frame cannot become a payload beyond the limit")
    func bomb() {
        let careless = FrameCompression(compress: { $0 }, decompress: { .init(repeating: 0, count: $1 + 1) })
        var decoder = FrameDecoder(compression: careless)
        decoder.loggedIn()
        decoder.feed(header(1, flags: 1) + [1])
        let limit = WireLimits.frameBytes
        #expect(throws: WireError.frameTooLarge(bytes: limit + 1, limit: limit)) { try decoder.next() }
    }
}

extension FrameCompression {
    /// Runs of equal bytes as count and byte: no zstd, but it has the same shape.
    static let runs = FrameCompression(
        compress: { bytes in
            var out: [UInt8] = []
            for byte in bytes {
                if out.last == byte, out[out.count - 2] < 255 {
                    out[out.count - 2] += 1
                } else {
                    out += [1, byte]
                }
            }
            return out
        },
        decompress: { bytes, limit in
            guard bytes.count.isMultiple(of: 2) else { throw Flaw(description: "odd") }
            var out: [UInt8] = []
            for at in stride(from: 0, to: bytes.count, by: 2) {
                out += repeatElement(bytes[at + 1], count: Int(bytes[at]))
                guard out.count <= limit else { throw Flaw(description: "beyond") }
            }
            return out
        }
    )

    private struct Flaw: Error, CustomStringConvertible { let description: String }
}
