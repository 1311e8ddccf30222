import AddressBook
import Controllers
import JSON
import Replication
import Testing

/// Other threads that hand nothing back before they are told to.
private final class SlowWorker: Worker {
    private var waiting: [() -> Void] = []
    var count: Int { waiting.count }

    func work<Result: Sendable>(
        _ body: @escaping @Sendable () -> Result,
        then: @escaping (Result) -> Void
    ) {
        let result = body()
        waiting.append { then(result) }
    }

    func finishOne() { if !waiting.isEmpty { waiting.removeFirst()() } }
}

/// Cards are composed on other threads, and the list goes on meanwhile.
@Suite("Composing elsewhere")
struct ComposingTests {
    /// Two contacts that are stored, and a list to which one person is enough for another thread.
    private func house() throws -> (House, ListController, AddController) {
        let house = try House()
        let list = try #require(house.list)
        let add = list.addController(for: try house.login.login(.command, to: [list]))
        for (uid, name, phone) in [("a", "Ana", "+1"), ("b", "Bob", "+2")] {
            add.add(add.saved(try house.contact(name, phone)), uid: UID(uid))
        }
        list.settle()
        house.committer.flush()
        list.fewPersons = 0
        return (house, list, add)
    }

    @Test("who changed while the card was composed is told when it is composed as it is now")
    func overtaken() throws {
        let (house, list, add) = try house()
        let (ear, worker) = (Ear(), SlowWorker())
        list.observe(ear)
        list.worker = worker
        var wakes = 0
        list.wake = { wakes += 1 }

        // Two names in one record: one is shown, and one is kept beside it.
        add.add(add.saved(try house.contact("Maria", "+1")), uid: UID("a"))
        list.settle()
        #expect(worker.count == 1 && ear.dirty.isEmpty && list.conflictCount == 0)
        add.add(add.saved(try house.contact("Petra", "+1")), uid: UID("a"))
        worker.finishOne()
        #expect(wakes == 1 && ear.dirty.isEmpty && list.conflictCount == 0)
        list.settle()
        // A question needs no answer of theirs.
        #expect(list.card(ofPersonWith: UID("a"))?.name == "Petra")
        #expect(worker.count == 1 && ear.dirty.isEmpty)
        worker.finishOne()
        #expect(wakes == 2 && ear.dirty == [[UID("a")]])
        #expect(list.conflictCount == list.card(ofPersonWith: UID("a"))?.conflicts.count)
        #expect(list.conflictCount > 0)
    }

    @Test("who is merged with another while both are composed is told once, as one person")
    func merged() throws {
        let (house, list, add) = try house()
        let (ear, worker) = (Ear(), SlowWorker())
        list.observe(ear)
        list.worker = worker
        for uid in ["a", "b"] {
            add.add(add.saved(try house.contact("Zoe", "+3")), uid: UID(uid))
        }
        add.add(.distinguish([UID("a")], [UID("b")]))
        list.settle()
        add.add(.merge([UID("a")], [UID("b")]))
        list.settle()
        while worker.count > 0 { worker.finishOne() }
        #expect(ear.dirty == [[UID("a"), UID("b")]])
        #expect(list.card(ofPersonWith: UID("b"))?.uids == [UID("a"), UID("b")])
    }
}
