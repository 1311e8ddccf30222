import AddressBook
import Contacts
import Controllers
import JSON
import Replication
import TestSupport
import Testing

/// A lone change waits for nothing that can be done while the store commits.
@Suite("A lone change")
struct LoneChangeTests {
    private final class NoTime: Scheduler {
        var uptime: UInt64 { 0 }
        func after(_ milliseconds: UInt64, _ body: @escaping () -> Void) -> () -> Void { {} }
    }

    /// Notes whether the store was at work when persons were told.
    private final class Watcher: ListObserver {
        let store: MemoryStore
        private(set) var wasCommitting: [Bool] = []
        init(_ store: MemoryStore) { self.store = store }
        func list(_ list: ListController, didSettle dirty: Set<UID>) {
            wasCommitting.append(store.isCommitting)
        }
        func list(_ list: ListController, didCommit head: UInt64) {}
    }

    private func directory(_ house: House, _ folder: FakeFolder) throws -> DirectoryController {
        let list = try #require(house.list)
        let directory = try DirectoryController(
            list: list,
            session: try house.login.login(.directory, to: [list]),
            folder: folder,
            scheduler: NoTime(),
            committer: house.committer,
            hash: .test
        )
        directory.start()
        directory.endTurn()
        house.committer.flush()
        house.store.commitsAtOnce = false
        return directory
    }

    @Test("a save is on its way to the store before its person is composed and compared")
    func save() throws {
        let (house, folder) = (try House(), FakeFolder())
        folder.files["a.json"] = Array(#"{"name":"Ana","phone":"+1","uid":"a"}"#.utf8)
        let directory = try directory(house, folder)
        let watcher = Watcher(house.store)
        house.list?.observe(watcher)
        folder.files["a.json"] = Array(#"{"name":"Ana Holm","phone":"+1","uid":"a"}"#.utf8)
        directory.look(at: ["a.json"], attributes: [], everything: false)
        directory.endTurn()
        #expect(watcher.wasCommitting == [true])
    }

    @Test(
        "a file is made ready while the store commits, and swapped in before anybody else hears of the commit"
    )
    func file() throws {
        let (house, folder) = (try House(), FakeFolder())
        let directory = try directory(house, folder)
        let list = try #require(house.list)
        let add = list.addController(for: try house.login.login(.command, to: [list]))
        var wasStored: Bool?
        add.add(add.saved(try house.contact("Ana", "+1")), uid: UID("a"))
        house.committer.afterCommit { wasStored = folder.isStored }
        directory.endTurn()
        house.committer.flush()
        #expect(folder.jobs.map(\.name) == ["a.json"])
        #expect(house.store.isCommitting && !folder.isStored)
        house.store.finishCommit()
        #expect(wasStored == true)
    }

    @Test("while files are written the next are made ready, and nobody is decided on twice")
    func flight() throws {
        let (house, folder) = (try House(), FakeFolder())
        let directory = try directory(house, folder)
        house.store.commitsAtOnce = true
        let list = try #require(house.list)
        let add = list.addController(for: try house.login.login(.command, to: [list]))
        func turn() {
            directory.endTurn()
            house.committer.flush()
        }
        add.add(add.saved(try house.contact("Ana", "+1")), uid: UID("a"))
        turn()
        #expect(folder.jobs.map(\.name) == ["a.json"])
        add.add(add.saved(try house.contact("Bo", "+2")), uid: UID("b"))
        add.add(add.saved(try house.contact("Ana Holm", "+1")), uid: UID("a"))
        turn()
        #expect(!directory.hasWork, "what is ready waits, without turns, for what is being written")
        #expect(folder.jobs.map(\.name) == ["a.json"])
        folder.land()
        turn()
        #expect(folder.jobs.map(\.name) == ["b.json"], "Ana's file was being written when it was decided")
        folder.land()
        turn()
        #expect(folder.jobs.map(\.name) == ["a.json"])
        folder.land()
        turn()
        #expect(folder.files.keys.sorted() == ["a.json", "b.json"])
        #expect(directory.filesToWrite == 0 && directory.isIdle)
    }

    @Test("two who are joined after one of them was decided on get one file")
    func joinedWithinARound() throws {
        let (house, folder) = (try House(), FakeFolder())
        let directory = try directory(house, folder)
        directory.roundShare = 1
        house.store.commitsAtOnce = true
        let list = try #require(house.list)
        let add = list.addController(for: try house.login.login(.command, to: [list]))
        // A uid that was made sorts first here, and leads no person.
        let made = UID(MadeUID.make(try house.contact("Ana", "+1").card, hash: .test))
        let people = [(made, "Ana", "+1"), (UID("v"), "Bo", "+2"), (UID("w"), "Cy", "+3")]
        for (uid, name, number) in people {
            add.add(add.saved(try house.contact(name, number)), uid: uid)
        }
        func turn() {
            directory.endTurn()
            house.committer.flush()
        }
        turn()
        #expect(folder.jobs.isEmpty && directory.hasWork, "one of them was decided on")
        add.add(.merge([made], [UID("v")]))
        var turns = 0
        while directory.hasWork || !folder.jobs.isEmpty, turns < 100 {
            turn()
            if !folder.jobs.isEmpty, folder.isStored { folder.land() }
            turns += 1
        }
        #expect(list.index.cardUID(of: made) == UID("v"))
        #expect(list.index.count == 2 && folder.files.count == 2)
        #expect(directory.isIdle)
    }

    @Test("a save that says what its file said before is compared after a crash too")
    func staleSave() throws {
        let (house, folder) = (try House(), FakeFolder())
        let old = Array(#"{"name":"Ana","phone":"+1","uid":"a"}"#.utf8)
        folder.files["a.json"] = old
        let directory = try directory(house, folder)
        house.store.commitsAtOnce = true
        let list = try #require(house.list)
        let add = list.addController(for: try house.login.login(.command, to: [list]))
        add.add(add.saved(try house.contact("Ana", "+2")), uid: UID("a"))
        for _ in 0..<2 {
            directory.endTurn()
            house.committer.flush()
            if !folder.jobs.isEmpty { folder.land() }
        }
        #expect(folder.files["a.json"] != old, "both numbers are shown")
        // An editor that was opened before saves what it had.
        house.store.commitsAtOnce = false
        folder.files["a.json"] = old
        directory.look(at: ["a.json"], attributes: [], everything: false)
        directory.endTurn()
        // What is decided about it goes with the next commit; a crash may come before.
        house.store.finishCommit()
        var stamps: [FileStamp?] = []
        try house.store.eachFile(1) { stamps.append(FileStamp(numbers: $0.stamp)) }
        #expect(stamps == [.unknown])
    }
}
