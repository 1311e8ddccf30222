import Storage
import Testing

@Suite("Looking at a database from outside") struct LookingTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test("It says whether a daemon has it, finds nothing where nothing is wrong, and leaves nothing behind")
    func looking() throws {
        #expect(!Store.isInUse(directory: scratch.directory))
        try scratch.withStore { store in
            _ = try store.book(named: "b")
            #expect(Store.isInUse(directory: scratch.directory))
            #expect(Store.check(directory: scratch.directory) == [])
        }
        #expect(!Store.isInUse(directory: scratch.directory))
        let before = try scratch.contents()
        #expect(Store.check(directory: scratch.directory) == [])
        #expect(try scratch.contents() == before)
    }

    @Test("A page that was overwritten is found")
    func damage() throws {
        try scratch.withStore { _ = try $0.book(named: "b") }
        var bytes = try scratch.read("contactsync.db")
        // The second page: its first byte says what kind of page it is.
        for at in 4096..<4196 { bytes[at] = 0xAB }
        try scratch.write(bytes, "contactsync.db")
        #expect(!Store.check(directory: scratch.directory).isEmpty)
    }
}
