import JSON
import Testing

/// What the campaign found, each with as few steps as show it.
@Suite("Found by the crash campaign")
struct FoundTests {
    @Test(
        "A file that a merge took away, just before a crash, is no deletion when the two are told apart meanwhile"
    )
    func ownRemovalIsNoAbsence() throws {
        try CrashRound.with(seed: 1, again: "this test") { round in
            try round.a.start()
            try round.b.start()
            let cards = [SampleCard(1), SampleCard(2)]
            for card in cards { try round.a.put(card.text, as: "\(card.name).json") }
            for machine in [round.a, round.b] { try machine.expectCount(2, "both are there") }
            try round.rest("at the beginning")
            // The file has been moved away and not yet put into the trash.
            round.faults.arm(Fault(kinds: .remove, action: .killBefore, place: .book, first: 1))
            try round.b.must("merge", Machine.book, cards[0].uid, cards[1].uid)
            try waitUntil("A is killed") { try round.hasEnded() }
            try round.b.must("unmerge", Machine.book, cards[1].uid)
            round.faults.disarm()
            try round.a.start()
            try round.rest("after the crash")
            for machine in [round.a, round.b] {
                try machine.expectNames(cards.map(\.name), "nobody is lost")
            }
        }
    }
}
