import AddressBook
import JSON
import Replication
import TestSupport
import Testing

@Suite("The brake")
struct BrakeTests {
    private static let hour = Brake.hour

    private static func uids(_ count: Int, from first: Int = 0) -> [UID] {
        (first..<first + count).map { UID("f\($0)") }
    }

    private static func isBelieved(_ brake: inout Brake, _ pending: Int, _ now: Int64, of count: Int) -> Bool
    {
        brake.judge(pending: uids(pending), now: now, count: count) == .believe
    }

    @Test(
        "more than the limit of what the book held, and more than five, is held",
        arguments: [
            (29, 100, true), (30, 100, true), (31, 100, false),
            (4, 6, true), (5, 6, true), (6, 7, false), (5, 10, true), (6, 10, false), (6, 20, true),
            (7, 20, false),
        ]
    )
    func limits(pending: Int, count: Int, isBelieved: Bool) {
        var brake = Brake(deletionLimit: 30)
        #expect(Self.isBelieved(&brake, pending, 0, of: count) == isBelieved)
    }

    @Test("all of two or more is held; the last one of one is a deletion", arguments: [1, 2, 3, 5, 6, 100])
    func all(count: Int) {
        var brake = Brake(deletionLimit: 100)
        #expect(Self.isBelieved(&brake, count, 0, of: count) == (count == 1))
    }

    @Test("a book is not emptied one by one within the hour either; the next hour it may")
    func oneByOne() {
        var brake = Brake(deletionLimit: 30)
        #expect(Self.isBelieved(&brake, 1, 0, of: 2))
        let reason = Brake.Reason(deletions: 2, held: 2, isAll: true)
        #expect(brake.judge(pending: Self.uids(1), now: Self.hour - 1, count: 1) == .hold(reason))
        #expect(Self.isBelieved(&brake, 1, Self.hour, of: 1))
    }

    @Test("a book of one contact may lose it again and again, but not all of five")
    func oneAgainAndAgain() {
        var brake = Brake(deletionLimit: 30)
        for now in Int64(0)..<5 { #expect(Self.isBelieved(&brake, 1, now, of: 1)) }
        #expect(!Self.isBelieved(&brake, 5, 6, of: 5))
    }

    @Test("what was believed within the hour counts, and an hour after it was believed no more")
    func withinTheHour() {
        var brake = Brake(deletionLimit: 30)
        #expect(Self.isBelieved(&brake, 20, 0, of: 100))
        #expect(Self.isBelieved(&brake, 10, 1000, of: 80))
        #expect(
            brake.judge(pending: Self.uids(1), now: 2000, count: 70)
                == .hold(.init(deletions: 31, held: 100, isAll: false))
        )
        #expect(!Self.isBelieved(&brake, 1, Self.hour - 1, of: 70))
        // The twenty are out; now the hour began with 80.
        #expect(Self.isBelieved(&brake, 14, Self.hour, of: 70))
        #expect(!Self.isBelieved(&brake, 1, Self.hour + 999, of: 56))
    }

    @Test("nobody is told of more deletions than there were persons, also where the book grew")
    func grown() {
        var brake = Brake(deletionLimit: 30)
        #expect(Self.isBelieved(&brake, 5, 0, of: 10))
        #expect(
            brake.judge(pending: Self.uids(80), now: 1000, count: 105)
                == .hold(.init(deletions: 85, held: 110, isAll: false))
        )
    }

    @Test("what is held does not count as deleted, and is released when the files are back")
    func released() {
        var brake = Brake(deletionLimit: 30)
        for now in Int64(0)..<5 { #expect(!Self.isBelieved(&brake, 50, now, of: 100)) }
        #expect(Self.isBelieved(&brake, 0, 6, of: 100))
        #expect(Self.isBelieved(&brake, 30, 7, of: 100))
    }

    @Test("after a person decided the count begins anew")
    func decided() {
        var brake = Brake(deletionLimit: 30)
        #expect(Self.isBelieved(&brake, 30, 0, of: 100))
        #expect(!Self.isBelieved(&brake, 5, 1, of: 70))
        brake.decided()
        #expect(Self.isBelieved(&brake, 5, 2, of: 70))
    }

    @Test("one contact named twice is deleted once")
    func twice() {
        var brake = Brake(deletionLimit: 0)
        #expect(brake.judge(pending: Self.uids(5) + Self.uids(5), now: 0, count: 9) == .believe)
    }

    @Test("a limit of nothing still believes a handful, a limit of all believes all but the last")
    func extremes() {
        var none = Brake(deletionLimit: 0)
        #expect(Self.isBelieved(&none, 5, 0, of: 1000))
        #expect(!Self.isBelieved(&none, 1, 1, of: 995))
        var all = Brake(deletionLimit: 100)
        #expect(Self.isBelieved(&all, 999, 0, of: 1000))
        #expect(!Self.isBelieved(&all, 1, 1, of: 1))
    }

    @Test("a brake that was stored goes on as the one that was not, from any seed")
    func stored() {
        for seed in 0..<200 {
            var random = SeededGenerator(seed: UInt64(seed))
            var brake = Brake(deletionLimit: random.below(101))
            var now: Int64 = 0
            var count = 1 + random.below(200)
            for _ in 0..<20 {
                let read = Brake(state: brake.state, deletionLimit: brake.deletionLimit)
                #expect(read == brake)
                now += Int64(random.below(1_500_000))
                let pending = random.below(min(count, 12) + 1)
                if Self.isBelieved(&brake, pending, now, of: count) { count -= pending }
                count += random.below(10)
            }
        }
    }

    @Test("what is no stored state makes no brake")
    func damaged() {
        for state: JSONValue in [
            .null, [1], [[1, 2]], [[1, 0, 5]], [[1, 6, 5]], [[2, 1, 5], [1, 1, 5]], [["1", 1, 5]],
        ] {
            #expect(Brake(state: state, deletionLimit: 30) == nil)
        }
        #expect(Brake(state: [], deletionLimit: 30) == Brake(deletionLimit: 30))
    }

    @Test("a clock that was set back makes no deletion count for more than an hour")
    func setBack() {
        var brake = Brake(deletionLimit: 30)
        #expect(Self.isBelieved(&brake, 6, 10 * Self.hour, of: 20))
        #expect(Self.isBelieved(&brake, 4, 0, of: 14))
    }
}
