import BookDirectory
import Config
import Glibc

extension Doctor {
    /// Files that can still be made.
    private static let leastFiles: UInt64 = 1000

    /// Room on the disk, and what the file system cannot do.
    mutating func lookAtDisk(_ path: String, holds what: String, isDatabase: Bool = false) {
        var room = statvfs()
        if unsafe statvfs(path, &room) == 0 {
            let bytes = UInt64(room.f_bavail) * UInt64(room.f_frsize)
            if bytes < UInt64(max(0, configuration.diskReserve)) {
                find(
                    .error,
                    "the disk that holds \(what) has \(bytes >> 20) MiB left, less than `disk-reserve`, so nothing of peers is taken in; make room",
                    mend: "df -h \(ShellWord.quoted(path))"
                )
            }
            // File systems without a fixed number of files say 0 of 0.
            if room.f_files > 0, room.f_favail < Self.leastFiles {
                find(
                    .error,
                    "the disk that holds \(what) has room for \(room.f_favail) more files; remove some",
                    mend: "df -i \(ShellWord.quoted(path))"
                )
            }
            if UInt(room.f_flag) & UInt(ST_RDONLY) != 0 {
                find(
                    .error,
                    "the file system that holds \(what), \(path), is mounted read-only",
                    mend: "sudo mount -o remount,rw \"$(findmnt -no TARGET -T \(ShellWord.quoted(path)))\""
                )
            }
        }
        guard let kind = FileSystem.kind(of: path) else { return }
        if isDatabase, kind.isNetwork {
            find(
                .error,
                "the state directory \(path) lies on \(kind.name), where a database cannot be locked; set `state` to a directory of this machine",
                mend: Finding.edit(configuration.file)
            )
        } else if kind.isNetwork {
            find(
                .warning,
                "\(path) lies on \(kind.name): what other machines change there is seen after `rescan-interval` only; set it to 60 seconds or so, or run contactsyncd where the disk is",
                mend: Finding.edit(configuration.file)
            )
        } else if !kind.hasModes {
            find(
                .warning,
                "\(path) lies on \(kind.name), which knows no owners and swaps no files: everybody on this machine reads \(what), and saves are compared once more instead",
                mend: "findmnt -T \(ShellWord.quoted(path))"
            )
        }
    }

    /// What the kernel lets a user watch.
    mutating func lookAtLimits() {
        // Tried, as what other programs of this user have taken of the limits is told nowhere.
        for book in configuration.books where unsafe access(book.directory, F_OK) == 0 {
            do throws(DirectoryError) {
                let watch = try FolderWatch(path: book.directory)
                watch.close()
            } catch {
                let limit = error.errno == EMFILE ? "max_user_instances" : "max_user_watches"
                guard error.errno == EMFILE || error.errno == ENOSPC else {
                    find(
                        .error,
                        "the directory of the book \(book.name) cannot be watched: \(error.description)",
                        mend: "ls -ld \(ShellWord.quoted(book.directory))"
                    )
                    continue
                }
                let now = Self.limit(limit) ?? 0
                find(
                    .warning,
                    "the book \(book.name) cannot be watched, so changes are seen every 2 s only: fs.inotify.\(limit) is \(now), and other programs have taken all of it",
                    mend: Self.raise(limit, to: max(1024, now * 2))
                )
                return
            }
        }
    }

    /// A queue that overflows costs a look at the whole directory, which for many files takes long.
    mutating func lookAtQueue(_ book: Configuration.Book, files: Int) {
        let limit = "max_queued_events"
        // A save is a creation, a change of attributes, an end and perhaps a rename.
        guard let now = Self.limit(limit), files * 4 > now, files > 10_000 else { return }
        find(
            .warning,
            "if all \(files) files of the book \(book.name) change at once, the kernel's queue of \(now) events (fs.inotify.\(limit)) overflows and the whole directory is looked at again",
            mend: Self.raise(limit, to: files * 4)
        )
    }

    private static func raise(_ limit: String, to number: Int) -> String {
        // A file a limit: to raise one must not take back another.
        let file = "/etc/sysctl.d/60-contactsync-\(limit).conf"
        return "echo fs.inotify.\(limit)=\(number) | sudo tee \(file) && sudo sysctl -p \(file)"
    }

    private static func limit(_ name: String) -> Int? {
        SmallFile.text("/proc/sys/fs/inotify/\(name)").flatMap { Int($0.prefix { $0.isNumber }) }
    }
}
