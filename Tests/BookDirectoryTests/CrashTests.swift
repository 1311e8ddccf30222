import BookDirectory
import Glibc
import Testing

/// The daemon ends between two system calls; the next start finds everything.
@Suite struct CrashTests {
    let scratch = Scratch()

    /// Ends the run at the n-th changing call: from there on nothing takes effect.
    static func crashing(at limit: Int) -> FileCalls {
        let steps = Steps()
        let isDead: @Sendable () -> Bool = { steps.count("any") >= limit }
        var calls = FileCalls.linux
        calls.open = { folder, name, how throws(Errno) in
            if how != .read, isDead() { throw Errno(EIO) }
            return try FileCalls.linux.open(folder, name, how)
        }
        calls.write = { file, bytes throws(Errno) in
            let dead = isDead()
            // A crash may leave half of the bytes.
            try FileCalls.linux.write(file, dead ? Array(bytes.prefix(bytes.count / 2)) : bytes)
            if dead { throw Errno(EIO) }
        }
        calls.rename = { folder, from, to, how throws(Errno) in
            if isDead() { throw Errno(EIO) }
            try FileCalls.linux.rename(folder, from, to, how)
        }
        calls.link = { folder, from, to throws(Errno) in
            if isDead() { throw Errno(EIO) }
            try FileCalls.linux.link(folder, from, to)
        }
        calls.unlink = { folder, name throws(Errno) in
            if isDead() { throw Errno(EIO) }
            try FileCalls.linux.unlink(folder, name)
        }
        return calls
    }

    @Test(
        "wherever a replacement is cut off, the file has the old or the new bytes, and the old ones are kept",
        arguments: 1...12
    )
    func replacement(limit: Int) throws {
        scratch.put("a.json", "old")
        let calls = Self.crashing(at: limit)
        _ = scratch.writer(calls, trashCalls: calls).write([scratch.edit("a.json", "old", "new")])
        let leftovers = try scratch.writer().recover()
        let text = scratch.text("a.json")
        #expect(text == "old" || text == "new")
        for leftover in leftovers {
            #expect(leftover.content == .replaced)
            #expect(leftover.bytes == Array("old".utf8))
            #expect(leftover.isOf("a.json", scratch.hash) && !leftover.isOf("b.json", scratch.hash))
            var old = leftover.file
            old.name = "a.json"
            guard case .gone(kept: _?) = scratch.writer().settle(&old, now: 0) else {
                Issue.record("a leftover goes to the trash")
                continue
            }
        }
        #expect(scratch.names == ["a.json"])
        if text == "new" { #expect(scratch.trashed.contains("old")) }
    }

    @Test("wherever a removal is cut off, the bytes are found", arguments: 1...7)
    func removal(limit: Int) throws {
        scratch.put("a.json", "old")
        let calls = Self.crashing(at: limit)
        _ = scratch.writer(calls, trashCalls: calls).remove("a.json", expected: scratch.hash("old"))
        let leftovers = try scratch.writer().recover()
        for leftover in leftovers {
            #expect(leftover.content == .removed)
            try scratch.writer().restore(leftover.file, as: "a.json")
        }
        #expect(scratch.text("a.json") == "old" || scratch.trashed == ["old"])
        #expect(scratch.names.allSatisfy { $0 == "a.json" })
    }

    @Test("a save that a crashed run had swapped out unseen is an edit")
    func unseenSave() throws {
        scratch.put("a.json", "old")
        let path = scratch.book + "/a.json"
        var calls = FileCalls.before(.exchange) {
            if $0 == 1 { RaceTests.save(path, "theirs", inPlace: false) }
        }
        // The crash comes right after the swap.
        let rename = calls.rename
        let steps = Steps()
        calls.rename = { folder, from, to, how throws(Errno) in
            if how == .exchange, steps.count("exchange") > 1 { throw Errno(EIO) }
            try rename(folder, from, to, how)
        }
        guard
            case .failed(_, let aside) = scratch.writer(calls).write([scratch.edit("a.json", "old", "new")])[
                0
            ]
        else {
            Issue.record("the second exchange failed")
            return
        }
        #expect(aside.count == 1)
        let leftovers = try scratch.writer().recover()
        #expect(leftovers.map(\.content) == [.edited])
        #expect(leftovers.map(\.bytes) == [Array("theirs".utf8)])
        #expect(leftovers.map(\.file.temporaryName) == aside.map(\.temporaryName))
    }

    @Test("recovery touches no file but ours")
    func others() throws {
        try scratch.folder().writeMarker("book")
        for name in [".contactsync-x", ".contactsync-swap-1-2-3-4", ".contact", "a.json", ".a.swp"] {
            scratch.put(name, "1")
        }
        let names = scratch.names
        #expect(try scratch.writer().recover().isEmpty)
        #expect(scratch.names == names)
    }
}
