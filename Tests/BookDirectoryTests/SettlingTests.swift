import BookDirectory
import Glibc
import Testing

/// Editors that have the old file open when it is replaced.
@Suite struct SettlingTests {
    let scratch = Scratch()

    /// Replaces `old` by `new` while an editor has the file open, and gives the old file.
    func replaced(_ writer: Writer) throws -> (editor: CInt, old: OldFile) {
        scratch.put("a.json", "old")
        let editor = scratch.openForWriting("a.json")
        guard case .done(_, _, let old?) = writer.write([scratch.edit("a.json", "old", "new")])[0] else {
            throw Errno(EINVAL)
        }
        return (editor, old)
    }

    @Test("what an editor saves into the replaced file is an edit, once it lets go")
    func savesLater() throws {
        let writer = scratch.writer()
        var (editor, old) = try replaced(writer)
        #expect(scratch.text("a.json") == "new")
        #expect(writer.settle(&old, now: 0) == .stillOpen)
        scratch.write(editor, "theirs")
        #expect(writer.settle(&old, now: 10_000) == .stillOpen)
        close(editor)
        #expect(writer.settle(&old, now: 10_001) == .changed(bytes: Array("theirs".utf8)))
        // Not dealt with yet: it stays.
        #expect(writer.settle(&old, now: 10_002) == .changed(bytes: Array("theirs".utf8)))
        old.accept(scratch.hash("theirs"))
        guard case .gone(kept: _?) = writer.settle(&old, now: 10_003) else {
            Issue.record("it goes once it is dealt with")
            return
        }
        #expect(scratch.trashed == ["old", "theirs"])
        #expect(scratch.names == ["a.json"])
        #expect(writer.settle(&old, now: 10_004) == .gone(kept: nil))
    }

    @Test("an editor that lets go without a save costs nothing")
    func closes() throws {
        let writer = scratch.writer()
        var (editor, old) = try replaced(writer)
        close(editor)
        #expect(writer.settle(&old, now: 0) == .gone(kept: nil))
        #expect(scratch.trashed == ["old"])
        #expect(scratch.names == ["a.json"])
    }

    @Test("without leases a file goes after two seconds without change, counted from its last")
    func quiet() throws {
        let writer = scratch.writer(.withoutLeases)
        var (editor, old) = try replaced(writer)
        #expect(writer.settle(&old, now: 0) == .stillOpen)
        #expect(writer.settle(&old, now: Writer.quietTime - 1) == .stillOpen)
        scratch.write(editor, "theirs")
        #expect(writer.settle(&old, now: Writer.quietTime) == .stillOpen)
        #expect(writer.settle(&old, now: 2 * Writer.quietTime - 1) == .stillOpen)
        #expect(writer.settle(&old, now: 2 * Writer.quietTime) == .changed(bytes: Array("theirs".utf8)))
        close(editor)
    }

    @Test("an editor that saves into our file while it is swapped out again is heard")
    func intoOurs() throws {
        scratch.put("a.json", "old")
        let path = scratch.book + "/a.json"
        let calls = FileCalls.before(.exchange) { number in
            if number == 1 { RaceTests.save(path, "theirs", inPlace: false) }
            if number == 2 { _ = open(path, O_WRONLY | O_APPEND) }
        }
        let writer = scratch.writer(calls)
        guard case .overtaken(let aside) = writer.write([scratch.edit("a.json", "old", "new")])[0],
            var ours = aside.first
        else {
            Issue.record("it is overtaken, and our file is still open")
            return
        }
        #expect(scratch.text("a.json") == "theirs")
        #expect(writer.settle(&ours, now: 0) == .stillOpen)
        #expect(scratch.names.contains(ours.temporaryName))
    }

    @Test("an editor is waited for where there is no exchange, too")
    func plain() throws {
        let writer = scratch.writer(.plain(links: true))
        var (editor, old) = try replaced(writer)
        scratch.write(editor, "theirs")
        close(editor)
        #expect(writer.settle(&old, now: 0) == .changed(bytes: Array("theirs".utf8)))
    }

    @Test("an editor that has a removed file open is waited for")
    func removed() {
        scratch.put("a.json", "old")
        let editor = scratch.openForWriting("a.json")
        let writer = scratch.writer()
        guard case .done(kept: nil, var old?) = writer.remove("a.json", expected: scratch.hash("old")) else {
            Issue.record("it is moved away, not gone")
            return
        }
        #expect(scratch.text("a.json") == nil)
        scratch.write(editor, "theirs")
        close(editor)
        #expect(writer.settle(&old, now: 0) == .changed(bytes: Array("theirs".utf8)))
        #expect(throws: Never.self) { try writer.restore(old, as: "a.json") }
        #expect(scratch.names == ["a.json"])
        #expect(scratch.text("a.json") == "theirs")
    }

    @Test("a file is not restored over another")
    func restoreTaken() throws {
        let writer = scratch.writer()
        let (editor, old) = try replaced(writer)
        close(editor)
        let error = #expect(throws: DirectoryError.self) { try writer.restore(old, as: "a.json") }
        #expect(error?.errno == EEXIST)
        #expect(scratch.text("a.json") == "new")
    }
}
