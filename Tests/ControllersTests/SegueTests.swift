import AddressBook
import Contacts
import Controllers
import JSON
import Replication
import TestSupport
import Testing

/// Login, list and add: forward by segue, back by delegate (DESIGN.md 2).
@Suite("Segues")
struct SegueTests {
    @Test(
        "a login hands title and session over to the list, and the list to an add controller for exactly that session"
    )
    func handsOver() throws {
        let house = try House()
        let list = try #require(house.list)
        let session = try house.login.login(.peer(device: House.peer, name: "desktop"), to: [list])
        #expect(session.text.hasPrefix(House.peer.prefix(16) + "-"))
        #expect(list.sessions[session]?.title == "desktop's contact list")
        let add = list.addController(for: session)
        #expect(add.session == session)
        #expect(add.title == "desktop's contact list")
        #expect(add.delegate === list)
    }

    @Test("several sessions are open at once, each with a door of its own")
    func severalSessions() throws {
        let house = try House()
        let list = try #require(house.list)
        let first = try house.login.login(.directory, to: [list])
        let second = try house.login.login(.command, to: [list])
        #expect(first != second)
        #expect(list.addController(for: first) !== list.addController(for: second))
        list.leave(first)
        #expect(list.sessions.keys.contains(second) && !list.sessions.keys.contains(first))
    }

    @Test(
        "a device that is not configured, or does not share the book, is refused and nothing is handed over"
    )
    func refused() throws {
        let house = try House()
        let list = try #require(house.list)
        let stranger = String(repeating: "c3", count: 32)
        #expect(throws: LoginError.unknownDevice(stranger)) {
            try house.login.login(.peer(device: stranger, name: "x"), to: [list])
        }
        house.login.peers[House.peer]?.books = ["work"]
        #expect(throws: LoginError.notShared(book: "personal", peer: "desktop")) {
            try house.login.login(.peer(device: House.peer, name: "desktop"), to: [list])
        }
        #expect(list.sessions.isEmpty)
    }

    @Test("an add controller does not keep the list alive, and adds nothing when it is gone")
    func weakDelegate() throws {
        let house = try House()
        var list: ListController? = house.list
        weak let reference = list
        let session = try house.login.login(.command, to: [try #require(list)])
        let add = try #require(list).addController(for: session)
        list = nil
        house.dropList()
        #expect(reference == nil)
        #expect(add.delegate == nil)
        let receipt = add.add(add.saved(try house.contact("Ana", "+1")), uid: UID("a"))
        #expect(receipt.uids.isEmpty)
    }
}
