import Foundation
import Glibc

/// What shows that a file was written: another inode, size or time.
struct FileStamp: Equatable {
    var inode: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
}

/// The ways in which editors save.
enum Save: CaseIterable {
    /// A complete file takes the place of the old one.
    case renameOver
    /// Truncated and written in two pieces, the file half-written in between.
    case inTwoWrites
    /// As vim with `backup`: the old file moved aside, a new one written, the backup removed.
    case withBackup
}

extension Machine {
    func path(_ file: String) -> String { directory + "/" + file }

    /// A complete file appears at once, or takes the place of the old one.
    func put(_ bytes: [UInt8], as file: String) throws {
        let staged = "\(stage)/\(UUID().uuidString)"
        try write(bytes, to: staged, flags: O_CREAT | O_EXCL)
        guard unsafe rename(staged, path(file)) == 0 else {
            throw Failure("cannot rename to \(file) (\(errno))")
        }
    }

    /// A complete file appears at once, or takes the place of the old one.
    func put(_ text: String, as file: String) throws { try put(Array(text.utf8), as: file) }

    /// Truncates the file and writes it in place.
    func overwrite(_ bytes: [UInt8], as file: String) throws {
        try write(bytes, to: path(file), flags: O_CREAT | O_TRUNC)
    }

    /// Saves as an editor does.
    func save(_ text: String, as file: String, _ way: Save) throws {
        let bytes = Array(text.utf8)
        switch way {
        case .renameOver:
            try put(bytes, as: file)
        case .inTwoWrites:
            try writing(path(file), flags: O_CREAT | O_TRUNC) { handle in
                try handle.write(contentsOf: bytes[..<(bytes.count / 2)])
                // Long enough that a daemon which reads half a file would have done so.
                waitALittle(0.1)
                try handle.write(contentsOf: bytes[(bytes.count / 2)...])
            }
        case .withBackup:
            let backup = path(file + "~")
            guard unsafe rename(path(file), backup) == 0 else {
                throw Failure("cannot move \(file) aside (\(errno))")
            }
            try write(bytes, to: path(file), flags: O_CREAT | O_TRUNC)
            unsafe unlink(backup)
        }
    }

    func remove(_ file: String) throws {
        guard unsafe unlink(path(file)) == 0 else {
            throw Failure("\(file) is not in \(name)'s directory: \(fileNames)")
        }
    }

    /// Sets the times of a file to now.
    func touch(_ file: String) throws {
        guard unsafe utimensat(AT_FDCWD, path(file), nil, 0) == 0 else {
            throw Failure("cannot touch \(file) (\(errno))")
        }
    }

    func bytes(of file: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path(file)).map(Array.init)
    }

    func exists(_ file: String) -> Bool { stamp(file) != nil }

    /// The visible `*.json` names of the book, in order.
    var fileNames: [String] { files().keys.sorted() }

    /// The visible `*.json` entries of the book; none where the directory is gone.
    func files() -> [String: FileStamp] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        var stamps: [String: FileStamp] = [:]
        for name in names where name.hasSuffix(".json") && !name.hasPrefix(".") { stamps[name] = stamp(name) }
        return stamps
    }

    /// Whether the entry is a plain file, no link, pipe or directory.
    func isPlainFile(_ file: String) -> Bool {
        var entry = stat()
        return unsafe lstat(path(file), &entry) == 0 && entry.st_mode & S_IFMT == S_IFREG
    }

    /// The permission bits of any path.
    static func mode(of path: String) -> UInt32? {
        var entry = stat()
        return unsafe lstat(path, &entry) == 0 ? entry.st_mode & 0o7777 : nil
    }

    private func stamp(_ file: String) -> FileStamp? { stamp(at: path(file)) }

    private func stamp(at path: String) -> FileStamp? {
        var entry = stat()
        guard unsafe lstat(path, &entry) == 0 else { return nil }
        return FileStamp(
            inode: UInt64(entry.st_ino),
            size: Int64(entry.st_size),
            seconds: entry.st_mtim.tv_sec,
            nanoseconds: entry.st_mtim.tv_nsec
        )
    }

    private func write(_ bytes: [UInt8], to path: String, flags: Int32) throws {
        try writing(path, flags: flags) { try $0.write(contentsOf: bytes) }
    }

    private func writing(_ path: String, flags: Int32, _ body: (FileHandle) throws -> Void) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | flags, 0o644)
        guard descriptor >= 0 else { throw Failure("cannot write \(path) (\(errno))") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? handle.close() }
        try body(handle)
    }
}

extension Machine {
    /// Runs a program where the daemon's mounts are seen.
    func runBesideDaemon(_ line: String...) throws {
        guard let pid = daemon?.process.processIdentifier, let unshare = Executables.unshare,
            let nsenter = Executables.tool("nsenter")
        else { throw Failure("\(name) has no daemon with mounts of its own") }
        let user = unshare.contains("-rm") ? ["-U", "--preserve-credentials"] : []
        let child = try Child(
            nsenter,
            ["-t", "\(pid)", "-m"] + user + line,
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            directory: "/",
            output: log,
            errors: log
        )
        guard child.wait(Patience.answer) == 0 else { throw Failure("\(name): \(line) failed: \(logEnd)") }
    }

    /// A path as the daemon sees it, through its own mounts.
    func seenByDaemon(_ path: String) -> String {
        "/proc/\(daemon?.process.processIdentifier ?? 0)/root" + path
    }

    var database: String { state + "/contactsync.db" }

    /// Changes one byte of the first place where the database file says a text, as a failing disk does.
    func changeByte(of text: String) throws {
        let handle = try FileHandle(forUpdating: URL(filePath: database))
        defer { try? handle.close() }
        let bytes = try handle.readToEnd() ?? Data()
        guard let place = bytes.range(of: Data(text.utf8)) else {
            throw Failure("the database does not say \(text)")
        }
        try handle.seek(toOffset: UInt64(place.lowerBound + 2))
        try handle.write(contentsOf: Data([bytes[place.lowerBound + 2] ^ 1]))
    }

    /// What shows that the state was written.
    func stateStamps() -> [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        for name in ["contactsync.db", "contactsync.db-wal"] { stamps[name] = stamp(at: state + "/" + name) }
        return stamps
    }

    /// Removes the state's database, as a failed disk would; the key stays.
    func loseDatabase() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: state)
        let lost = names.filter { name in [".sqlite", ".sqlite3", ".db"].contains { name.contains($0) } }
        guard !lost.isEmpty else { throw Failure("there is no database in \(names)") }
        for name in lost { try FileManager.default.removeItem(atPath: state + "/" + name) }
    }
}
