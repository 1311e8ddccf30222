package import JSON

/// SplitMix64: random numbers that come from a seed, so that every run can be repeated.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 up to, not including, `bound`.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// True with the given probability.
    package mutating func chance(_ probability: Double) -> Bool {
        Double(next() >> 11) / Double(1 << 53) < probability
    }
}

extension HashFunction {
    /// No SHA-256, but as good for tests of pure rooms: 32 bytes that depend on every byte.
    package static let test = HashFunction { bytes in
        var out: [UInt8] = []
        for round in 0..<4 {
            var h: UInt64 = 0xCBF2_9CE4_8422_2325 &+ UInt64(round) &* 0x9E37_79B9_7F4A_7C15
            for byte in bytes {
                h = (h ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            }
            h ^= h >> 29
            h = h &* 0xBF58_476D_1CE4_E5B9
            h ^= h >> 32
            for shift in stride(from: 56, through: 0, by: -8) {
                out.append(UInt8(truncatingIfNeeded: h >> UInt64(shift)))
            }
        }
        return out
    }
}
