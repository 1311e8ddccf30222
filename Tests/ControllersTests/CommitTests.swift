import AddressBook
import Controllers
import JSON
import Replication
import Testing

/// Hears what a list tells.
final class Ear: ListObserver {
    private(set) var heads: [UInt64] = []
    private(set) var dirty: [Set<UID>] = []
    func list(_ list: ListController, didSettle dirty: Set<UID>) { self.dirty.append(dirty) }
    func list(_ list: ListController, didCommit head: UInt64) { heads.append(head) }
}

/// Commit comes before broadcast, and nothing is lost when it fails.
@Suite("Commit before broadcast")
struct CommitTests {
    @Test("observers hear of a change for the world only when it is durable")
    func commitFirst() throws {
        let house = try House()
        let list = try #require(house.list)
        house.store.commitsAtOnce = false
        let ear = Ear()
        list.observe(ear)
        let add = list.addController(for: try house.login.login(.command, to: [list]))
        add.add(add.saved(try house.contact("Ana", "+1")), uid: UID("a"))
        list.settle()
        house.committer.flush()
        #expect(ear.dirty == [[UID("a")]])
        #expect(ear.heads.isEmpty && list.committedHead == 0)
        house.store.finishCommit()
        #expect(ear.heads == [1] && list.committedHead == 1)
        #expect(house.store.rows[UID("a")] != nil)
    }

    @Test("what is added while a batch is on its way goes with the next, and both are readable meanwhile")
    func nextBatch() throws {
        let house = try House()
        let list = try #require(house.list)
        house.store.commitsAtOnce = false
        let add = list.addController(for: try house.login.login(.command, to: [list]))
        add.add(add.saved(try house.contact("Ana", "+1")), uid: UID("a"))
        list.settle()
        house.committer.flush()
        add.add(add.saved(try house.contact("Bob", "+2")), uid: UID("b"))
        list.settle()
        house.committer.flush()
        #expect(list.record(UID("a")) != nil && list.record(UID("b")) != nil)
        house.store.finishCommit()
        #expect(house.store.rows.count == 1)
        house.store.finishCommit()
        #expect(house.store.rows.count == 2 && list.isIdle)
    }

    @Test("where more is ready a batch waits for it, some turns at most; a lone change waits for nobody")
    func company() throws {
        let house = try House()
        let list = try #require(house.list)
        let add = list.addController(for: try house.login.login(.command, to: [list]))
        add.add(add.saved(try house.contact("Ana", "+1")), uid: UID("a"))
        var turns = 0
        while house.store.rows.isEmpty, turns < 1000 {
            list.settle()
            house.committer.flush(isMoreReady: true)
            turns += 1
        }
        #expect(turns > 1 && turns < 100)
        add.add(add.saved(try house.contact("Bob", "+2")), uid: UID("b"))
        house.committer.flush(isMoreReady: true)
        #expect(house.store.rows.count == 1)
        house.committer.flush()
        #expect(house.store.rows.count == 2, "nothing more is ready")
    }

    @Test("who waits for a commit goes on where nothing has to be stored")
    func nothingToStore() throws {
        let house = try House()
        house.committer.flush()
        var said: [String] = []
        house.committer.onCommit = { said.append("turn") }
        house.committer.afterCommit { said.append("waited") }
        house.committer.flush()
        house.committer.flush()
        #expect(said == ["waited", "turn"])
    }

    @Test("a commit that fails is tried again, and nobody has been told before")
    func failedCommit() throws {
        let house = try House()
        let list = try #require(house.list)
        house.store.commitsAtOnce = false
        let ear = Ear()
        list.observe(ear)
        let add = list.addController(for: try house.login.login(.command, to: [list]))
        add.add(add.saved(try house.contact("Ana", "+1")), uid: UID("a"))
        list.settle()
        house.committer.flush()
        house.store.finishCommit(failure: StoreFailure(reason: "the disk is full"))
        #expect(house.committer.failure == StoreFailure(reason: "the disk is full"))
        #expect(ear.heads.isEmpty)
        house.retryCommits()
        house.store.finishCommit()
        #expect(house.committer.failure == nil)
        #expect(ear.heads == [1] && house.store.rows.count == 1)
    }

    @Test("a list loaded from what another committed shows the same persons and the same digest")
    func reload() throws {
        let house = try House()
        let list = try #require(house.list)
        let add = list.addController(for: try house.login.login(.command, to: [list]))
        add.add(add.saved(try house.contact("Ana", "+1")), uid: UID("a"))
        add.add(add.saved(try house.contact("Ana", "+1")), uid: UID("b"))
        add.add(.remove([UID("b")]))
        list.settle()
        house.committer.flush()
        let again = try house.reload()
        #expect(again.index.persons == list.index.persons)
        #expect(again.digest == list.digest)
        #expect(again.dead.keys.sorted() == [UID("b")])
    }
}
