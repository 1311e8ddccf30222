import Foundation
import Glibc
import JSON
import Testing

/// What the campaign found, each with as few steps as show it.
@Suite("Found by the crash campaign", .enabled(if: Campaign.isPossible))
struct FoundTests {
    @Test(
        "A file that a merge took away is no deletion when the two are told apart before that was noted",
        arguments: [
            // The file has been moved away and not yet put into the trash.
            Fault(kinds: .remove, action: .killBefore, place: .book, first: 1),
            // The disk does not say that it has been.
            Fault(kinds: .sync, action: .fail, error: EIO, place: .book, first: 1, count: 1),
        ]
    )
    func ownRemovalIsNoAbsence(_ fault: Fault) throws {
        try CrashRound.with(seed: 1, again: "this test") { round in
            try round.a.start()
            try round.b.start()
            let cards = [SampleCard(1), SampleCard(2)]
            for card in cards { try round.a.put(card.text, as: "\(card.name).json") }
            for machine in [round.a, round.b] { try machine.expectCount(2, "both are there") }
            try round.rest("at the beginning")
            round.faults.arm(fault)
            try round.b.must("merge", Machine.book, cards[0].uid, cards[1].uid)
            try waitUntil("the fault comes") { try round.hasEnded() || round.faults.hits > 0 }
            try round.b.must("unmerge", Machine.book, cards[1].uid)
            round.faults.disarm()
            if try round.hasEnded() { try round.a.start() }
            try round.rest("afterwards")
            for machine in [round.a, round.b] {
                try machine.expectNames(cards.map(\.name), "nobody is lost")
            }
        }
    }

    @Test(
        "What was removed from a file that holds others stays removed when the daemon is killed before the second look"
    )
    func absenceOutlivesACrash() throws {
        try CrashRound.with(seed: 1, again: "this test") { round in
            try round.a.start()
            try round.b.start()
            let cards = (1...3).map { SampleCard($0) }
            func array(_ cards: some Sequence<SampleCard>) -> String {
                "[" + cards.map(\.text).joined(separator: ",") + "]"
            }
            try round.a.put(array(cards), as: "all.json")
            for machine in [round.a, round.b] { try machine.expectCount(3, "all are there") }
            try round.rest("at the beginning", oneFileEach: false)
            // Killed as soon as it has stored what the file holds now.
            round.faults.arm(Fault(kinds: .sync, action: .killHalf, place: .state, first: 1))
            try round.a.put(array(cards.dropLast()), as: "all.json")
            try waitUntil("A is killed") { try round.hasEnded() }
            round.faults.disarm()
            try round.a.start()
            try round.rest("after the crash", oneFileEach: false)
            for machine in [round.a, round.b] {
                try machine.expectNames(cards.dropLast().map(\.name), "it stays removed")
            }
        }
    }

    @Test("What a refused write leaves under a temporary name goes as soon as the disk is well")
    func refusedWriteLeavesNothing() throws {
        try CrashRound.with(seed: 1, again: "this test") { round in
            try round.a.start()
            try round.b.start()
            try round.rest("at the beginning")
            // The temporary file is made, and neither written nor removed.
            round.faults.arm(Fault(action: .fail, error: EIO, place: .book, first: 2, count: 2))
            try round.b.put(SampleCard(1).text, as: "1.json")
            try waitUntil("both calls fail") { round.faults.hits == 2 }
            try round.rest("afterwards")
            try round.a.expectNames([SampleCard(1).name], "the contact is there")
        }
    }

    @Test(
        "A disk that is full at the first start of all, and then is not, gets the others' contacts without further ado"
    )
    func fullAtTheFirstStart() throws {
        try CrashRound.with(seed: 1, again: "this test") { round in
            // The marker cannot be written.
            round.faults.arm(
                Fault(kinds: .create, action: .fail, error: ENOSPC, place: .book, first: 1, count: 1)
            )
            try round.a.start()
            #expect(round.faults.hits == 1)
            try round.b.start()
            try round.b.put(SampleCard(1).text, as: "1.json")
            try round.rest("afterwards")
            try round.a.expectNames([SampleCard(1).name], "the contact is there")
        }
    }

    @Test("Who adds a contact while the disk is full is told so, and it is there when there is room")
    func addedToAFullDisk() throws {
        try CrashRound.with(seed: 1, again: "this test") { round in
            let a = round.a
            try a.start()
            round.faults.arm(Fault(kinds: .write, action: .fail, error: ENOSPC, place: .state, first: 1))
            let answer = try a.cli(
                ["add", Machine.book, "--name", "Ana Holm", "--phone", "020 7946 0123"],
                within: 30
            )
            #expect(answer.exit == 1 && answer.err.contains("nothing can be stored now: "), "\(answer)")
            let status = try a.cli("status")
            #expect(status.exit == 1 && status.out.contains("STOPPED  nothing can be stored: "), "\(status)")
            round.faults.disarm()
            try a.expectNames(["Ana Holm"], "it is there")
            try waitUntil("all is well") { try a.cli("status").out.contains("STOPPED") == false }
        }
    }

    @Test(
        "Who edits the file that crashes kept from being written takes nothing from what it would have shown",
        arguments: [1, 2]
    )
    func neverShownIsNoBase(crashes: Int) throws {
        try CrashRound.with(seed: 1, again: "this test") { round in
            let (a, b) = (round.a, round.b)
            try a.start()
            try b.start()
            var card = SampleCard(1)
            card.note = "the first"
            try a.put(card.text, as: "1.json")
            try b.expectCount(1, "it is there")
            try round.rest("at the beginning")
            // Another machine's note is in the store, and its file not yet made.
            let fault = Fault(kinds: .create, action: .killBefore, place: .book, first: 1)
            round.faults.arm(fault)
            card.note = "the second"
            try b.put(card.text, as: b.fileNames[0])
            try waitUntil("A is killed") { try round.hasEnded() }
            for _ in 1..<crashes {
                round.faults.arm(fault)
                try round.startInTrouble()
                try waitUntil("A is killed again") { try round.hasEnded() }
            }
            card.note = "the third"
            try a.put(card.text, as: "1.json")
            round.faults.disarm()
            try a.start()
            try round.rest("after the crash")
            for machine in [a, b] {
                let kept = try machine.ask("conflicts", ["book": .string(Machine.book)])
                let all = JSONWriter.text(kept) + machine.texts().values.joined()
                #expect(all.contains("the second") && all.contains("the third"), "\(machine.name): \(all)")
            }
        }
    }

    @Test(
        "A file that somebody moves while it is being written says nothing that its contact did not say before"
    )
    func movedWhileWritten() throws {
        try CrashRound.with(seed: 1, again: "this test") { round in
            let (a, b) = (round.a, round.b)
            try a.start()
            try b.start()
            let cards = [SampleCard(1), SampleCard(2)]
            for card in cards { try a.put(card.text, as: "\(card.name).json") }
            for machine in [a, b] { try machine.expectCount(2, "both are there") }
            try round.rest("at the beginning")
            let before = try cards.map { try b.person($0.uid)?.card }
            // The disk is slow, so that the file lies there for a while before that is known.
            round.faults.arm(Fault(kinds: .sync, action: .stall, place: .book, first: 1))
            try b.must("merge", Machine.book, cards[0].uid, cards[1].uid)
            try waitUntil("the file shows both") {
                a.texts()["\(cards[0].name).json"]?.contains(cards[1].name) ?? false
            }
            try FileManager.default.moveItem(
                atPath: a.path("\(cards[0].name).json"),
                toPath: a.path("moved.json")
            )
            try round.rest("when it is merged")
            try b.must("unmerge", Machine.book, cards[1].uid)
            try round.rest("when it is not")
            for (card, before) in zip(cards, before) { #expect(try b.person(card.uid)?.card == before) }
        }
    }
}
