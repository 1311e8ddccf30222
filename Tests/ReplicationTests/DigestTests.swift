import JSON
import Replication
import TestSupport
import Testing

@Suite("Digest")
struct DigestTests {
    private func hash(_ random: inout SeededGenerator) -> ContentHash {
        ContentHash(high: random.next(), low: random.next())
    }

    @Test("the order of changes is nothing, and what was replaced leaves no trace", arguments: UInt64(1)...10)
    func orderIsNothing(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let entries = (0..<50).map { _ in (hash(&random), hash(&random), hash(&random)) }
        var straight = Digest()
        for (uid, _, new) in entries { straight.replace(uid, old: nil, new: new) }
        var winding = Digest()
        for (uid, old, _) in entries.shuffled(using: &random) { winding.replace(uid, old: nil, new: old) }
        for (uid, old, new) in entries.shuffled(using: &random) { winding.replace(uid, old: old, new: new) }
        #expect(straight == winding)
        #expect(straight.total(.test) == winding.total(.test))
        for (uid, _, new) in entries { straight.replace(uid, old: new, new: nil) }
        #expect(straight == Digest())
    }

    @Test("another state of one record, and two records that trade places, show")
    func differencesShow() {
        var random = SeededGenerator(seed: 3)
        // One bucket for both, so that only the sum can tell them apart.
        let (one, two) = (ContentHash(high: 1, low: 5), ContentHash(high: 2, low: 6))
        let (a, b) = (hash(&random), hash(&random))
        #expect(Digest.bucket(one) == Digest.bucket(two))
        func digest(_ x: ContentHash, _ y: ContentHash) -> Digest {
            var digest = Digest()
            digest.replace(one, old: nil, new: x)
            digest.replace(two, old: nil, new: y)
            return digest
        }
        #expect(digest(a, b) != digest(b, a))
        #expect(digest(a, b) != digest(a, a))
        #expect(digest(a, b).total(.test) != digest(b, a).total(.test))
    }

    @Test("buckets are the top bits of the uid's hash")
    func buckets() {
        #expect(Digest.bucket(ContentHash(high: 0, low: .max)) == 0)
        #expect(Digest.bucket(ContentHash(high: .max, low: 0)) == Digest.bucketCount - 1)
    }
}
