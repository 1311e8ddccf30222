import BookDirectory
import Glibc
import Testing

/// inotify queues an event before the call that causes it returns, so a drain right after sees it.
@Suite struct WatchTests {
    let scratch = Scratch()

    @Test("the end of a save, moves, deletions and changes of mode are told apart")
    func events() throws {
        let watch = try FolderWatch(path: scratch.book)
        defer { watch.close() }
        #expect(watch.isWatching && watch.isWatchingParent)
        #expect(watch.drain().isEmpty)
        let editor = scratch.openForWriting("a.json", O_CREAT)
        let folder = scratch.folder()
        #expect(watch.drain().made == ["a.json"])
        #expect(try !folder.isComplete("a.json"))
        scratch.write(editor, "1")
        #expect(watch.drain().isEmpty)
        #expect(try !folder.isComplete("a.json"))
        close(editor)
        #expect(watch.drain().names == ["a.json"])
        #expect(try folder.isComplete("a.json"))
        chmod(scratch.book + "/a.json", 0o600)
        #expect(watch.drain().attributes == ["a.json"])
        scratch.replace("a.json", "2")
        #expect(watch.drain().names == ["a.json"])
        rename(scratch.book + "/a.json", scratch.book + "/b.json")
        let moved = watch.drain()
        #expect(moved.names == ["b.json"] && moved.gone == ["a.json"])
        unlink(scratch.book + "/b.json")
        #expect(watch.drain().gone == ["b.json"])
        for name in ["a.json~", "4913", ".a.json.swp", "a.txt"] { scratch.put(name, "1") }
        #expect(watch.drain().isEmpty)
    }

    @Test("what did anything but go is to be looked at, and spellings that look alike are two names")
    func joined() throws {
        let watch = try FolderWatch(path: scratch.book)
        defer { watch.close() }
        mkdir(scratch.book + "/a.json", 0o700)
        rmdir(scratch.book + "/a.json")
        scratch.put("b.json", "1")
        unlink(scratch.book + "/b.json")
        scratch.put("\u{e9}.json", "1")
        scratch.put("e\u{301}.json", "1")
        let report = watch.drain()
        #expect(report.gone == ["a.json"])
        #expect(report.names.first == "b.json")
        #expect(report.names.count == 3)
    }

    @Test("links, pipes, directories and second names of complete files are seen when made")
    func made() throws {
        scratch.put("a", "1")
        let watch = try FolderWatch(path: scratch.book)
        defer { watch.close() }
        symlink("nowhere", scratch.book + "/l.json")
        mkfifo(scratch.book + "/p.json", 0o600)
        mkdir(scratch.book + "/d.json", 0o700)
        link(scratch.book + "/a", scratch.book + "/h.json")
        let made = watch.drain().made
        #expect(made == ["d.json", "h.json", "l.json", "p.json"])
        let folder = scratch.folder()
        for name in made { #expect(try folder.isComplete(name), "\(name)") }
    }

    @Test(
        "our own swap is seen under the name of the file only, and an editor's save into the old file under its temporary name"
    )
    func swap() throws {
        scratch.put("a.json", "old")
        let editor = scratch.openForWriting("a.json")
        let watch = try FolderWatch(path: scratch.book)
        defer { watch.close() }
        let writer = scratch.writer()
        guard case .done(_, _, var old?) = writer.write([scratch.edit("a.json", "old", "new")])[0] else {
            Issue.record("the swap took place")
            return
        }
        let swapped = watch.drain()
        #expect(swapped.names == ["a.json"])
        #expect(swapped.gone.isEmpty && swapped.temporaries.isEmpty)
        scratch.write(editor, "theirs")
        close(editor)
        let saved = watch.drain()
        #expect(saved.temporaries == [old.temporaryName] && saved.names.isEmpty)
        #expect(writer.settle(&old, now: 0) == .changed(bytes: Array("theirs".utf8)))
    }

    @Test("a directory that goes and comes back is seen, and watched again")
    func folderMoves() throws {
        let watch = try FolderWatch(path: scratch.book)
        defer { watch.close() }
        let away = scratch.root + "/away"
        rename(scratch.book, away)
        let gone = watch.drain()
        #expect(gone.folderLost && !watch.isWatching && watch.isWatchingParent)
        close(open(away + "/a.json", O_CREAT | O_WRONLY, 0o600))
        #expect(watch.drain().isEmpty)
        try watch.rearm()
        #expect(!watch.isWatching)
        rename(away, scratch.book)
        let back = watch.drain()
        #expect(back.folderTouched && !back.folderLost)
        try watch.rearm()
        #expect(watch.isWatching)
        scratch.put("a.json", "1")
        #expect(watch.drain().names == ["a.json"])
        try watch.rearm()
        scratch.put("a.json", "2")
        #expect(watch.drain().names == ["a.json"])
    }

    @Test("a deleted directory is lost; one whose parent is missing says that nobody will tell")
    func folderDeleted() throws {
        let watch = try FolderWatch(path: scratch.book)
        defer { watch.close() }
        rmdir(scratch.book)
        #expect(watch.drain().folderLost)
        #expect(!watch.isWatching)
        let deep = try FolderWatch(path: scratch.root + "/none/book/")
        defer { deep.close() }
        #expect(!deep.isWatching && !deep.isWatchingParent)
        try BookFolder(path: scratch.root + "/none/book").make()
        try deep.rearm()
        #expect(deep.isWatching && deep.isWatchingParent)
    }

    @Test("more names than the bound are an overflow", arguments: [0, 1])
    func bound(more: Int) throws {
        let watch = try FolderWatch(path: scratch.book)
        defer { watch.close() }
        let events = FolderWatch.maxNames + more
        // Directories are one event each; the kernel's own queue holds 16,384.
        for i in 0..<events { mkdir(scratch.book + "/\(i).json", 0o700) }
        let report = watch.drain()
        #expect(report.made.count == FolderWatch.maxNames)
        #expect(report.overflow == (more > 0))
        #expect(watch.drain().isEmpty)
    }

    @Test("the kernel's overflow is told")
    func overflow() throws {
        let watch = try FolderWatch(path: scratch.book)
        defer { watch.close() }
        // Alternating, as the kernel joins equal neighbours.
        for i in 0..<20_000 {
            chmod(scratch.book, i % 2 == 0 ? 0o700 : 0o750); mkdir(scratch.book + "/\(i)", 0o700)
        }
        #expect(watch.drain().overflow)
    }

    @Test("a watch may be closed twice")
    func closedTwice() throws {
        let watch = try FolderWatch(path: scratch.book)
        watch.close()
        watch.close()
        #expect(watch.descriptor == -1)
    }
}
