import Compression
import TestSupport
import Testing

@Suite("A zstd frame")
struct ZstdTests {
    @Test("gives back what went in, at every level", arguments: [1, 3, 19] as [Int32])
    func roundTrip(level: Int32) throws {
        var random = SeededGenerator(seed: 1)
        for size in [0, 1, 100, 65_536, 300_000] {
            // Half noise, half repetition.
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 % 2 == 0 ? random.below(256) : 7) }
            let frame = Zstd.compress(bytes, level: level)
            #expect(try Zstd.decompress(frame, limit: size) == bytes)
        }
    }

    @Test("makes JSON smaller")
    func smaller() {
        let json = Array(String(repeating: #"{"@type":"Card","name":{"full":"Ana"}},"#, count: 100).utf8)
        #expect(Zstd.compress(json).count < json.count / 10)
    }

    @Test(
        "is taken up to the limit, and not a byte above",
        arguments: [1, 131_071, 131_072, 131_073, 1_000_000]
    )
    func limit(size: Int) throws {
        let frame = Zstd.compress([UInt8](repeating: 5, count: size))
        #expect(try Zstd.decompress(frame, limit: size).count == size)
        #expect(throws: CompressionError.tooLarge(limit: size - 1)) {
            try Zstd.decompress(frame, limit: size - 1)
        }
    }

    @Test("that is a bomb costs no more than the limit")
    func bomb() {
        let frame = Zstd.compress([UInt8](repeating: 0, count: 200_000_000), level: 1)
        #expect(frame.count < 100_000)
        #expect(throws: CompressionError.tooLarge(limit: 1_000_000)) {
            try Zstd.decompress(frame, limit: 1_000_000)
        }
    }

    @Test("that asks for a huge window is refused")
    func window() {
        // Magic number, no flags, window descriptor of 2^(10+31) bytes, then a last raw block of one byte.
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 31 << 3, 0x09, 0, 0, 1]
        #expect(throws: CompressionError.self) { try Zstd.decompress(frame, limit: 1_000) }
        // The same with the window of 1 KiB is a frame.
        let small: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0, 0x09, 0, 0, 1]
        #expect(throws: Never.self) { try Zstd.decompress(small, limit: 1_000) }
    }

    @Test("that is cut off, followed by something, or changed anywhere is refused")
    func damaged() {
        let bytes = Array("a text that is compressed, compressed, compressed".utf8)
        let frame = Zstd.compress(bytes)
        for count in 0..<frame.count {
            #expect(throws: CompressionError.malformed) {
                try Zstd.decompress(Array(frame[..<count]), limit: 1_000)
            }
        }
        #expect(throws: CompressionError.malformed) { try Zstd.decompress(frame + [0], limit: 1_000) }
        #expect(throws: CompressionError.malformed) { try Zstd.decompress(frame + frame, limit: 1_000) }
        for index in frame.indices {
            for bit in 0..<8 {
                var changed = frame
                changed[index] ^= 1 << bit
                // A flipped bit may be without meaning (the kind of block says more than its size), but the
                // checksum lets no wrong text through.
                let result = try? Zstd.decompress(changed, limit: 1_000)
                #expect(result == nil || result == bytes || changed[4] != frame[4])
            }
        }
    }

    @Test("made of noise never is anything but an error or bytes within the limit")
    func noise() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            let noise =
                [0x28, 0xB5, 0x2F, 0xFD] + (0..<random.below(60)).map { _ in UInt8(random.below(256)) }
            if let bytes = try? Zstd.decompress(noise, limit: 100) { #expect(bytes.count <= 100) }
        }
    }
}
