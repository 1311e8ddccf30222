import AddressBook
import Glibc

/// What the kernel says happens in a book's directory: when to look, never what is true.
///
/// Poll `descriptor` for reading and `drain` at once when it is readable, whatever disk and network do. The
/// directory above is watched too, to see the book's directory go and come back. Own it as long as the book is open,
/// and `close` it.
@safe
package final class FolderWatch {
    /// The most names that one drain reports; more is an overflow, and a full scan is cheaper by then.
    package static let maxNames = 10_000

    /// One read of events, in bytes; holds a thousand of usual length.
    private static let bufferSize = 64 << 10

    private static let folderEvents =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
        | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK
    private static let parentEvents =
        IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR

    /// The inotify descriptor, to be polled for reading; -1 once closed.
    package private(set) var descriptor: CInt

    private let path: String
    /// The directory above, nil for the root, and the name in it.
    private let parent: (path: String, base: [UInt8])?
    private var folderWatch: CInt?
    private var parentWatch: CInt?

    /// Starts watching what is there of the directory and the one above; see `isWatching` and `isWatchingParent`.
    ///
    /// Throws if there is no inotify instance to be had, or no watch for want of the user's share of them.
    package init(path: String) throws(DirectoryError) {
        self.path = path
        parent = Self.parent(of: path)
        descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else {
            throw DirectoryError(operation: "inotify_init1", path: path, errno: errno)
        }
        do { try rearm() } catch {
            close()
            throw error
        }
    }

    deinit { precondition(descriptor < 0, "a watch is closed before it is let go") }

    /// Whether the book's directory is watched. Where it is not, it is missing.
    package var isWatching: Bool { folderWatch != nil }

    /// Whether the directory above is watched. Where neither is, nothing will tell that the book's is back: look
    /// from time to time, by `rearm`.
    package var isWatchingParent: Bool { parentWatch != nil }

    /// Watches anew whatever lies at the path by now; call it when the directory was lost or touched, and at a full
    /// scan, as a mount over it is no event. What happened before is not reported, so scan afterwards.
    package func rearm() throws(DirectoryError) {
        precondition(descriptor >= 0, "a closed watch stays closed")
        // The kernel gives the same number for the same directory, so only another one's watch is dropped.
        let oldFolder = folderWatch
        folderWatch = try add(path, Self.folderEvents)
        if let oldFolder, oldFolder != folderWatch { inotify_rm_watch(descriptor, oldFolder) }
        guard let parent else { return }
        let oldParent = parentWatch
        parentWatch = try add(parent.path, Self.parentEvents)
        if parentWatch == folderWatch {
            // A path through a link can lead to the directory above; the second watch has replaced the first.
            (folderWatch, parentWatch) = (try add(path, Self.folderEvents), nil)
        }
        if let oldParent, oldParent != parentWatch, oldParent != folderWatch {
            inotify_rm_watch(descriptor, oldParent)
        }
    }

    /// Takes all events that are waiting; never waits for a disk. Empty when there are none.
    package func drain() -> Report {
        precondition(descriptor >= 0, "a closed watch has no events")
        var report = Report()
        while true {
            var got = 0
            let events = unsafe [UInt8](unsafeUninitializedCapacity: Self.bufferSize) { buffer, count in
                got = unsafe read(descriptor, buffer.baseAddress, Self.bufferSize)
                count = max(0, got)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            InotifyEvent.each(in: events[...]) { take($0, &report) }
        }
        return report
    }

    /// Ends the watch; may be called again. Stop polling the descriptor before.
    package func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
        (folderWatch, parentWatch) = (nil, nil)
    }
}

extension FolderWatch {
    private func take(_ event: InotifyEvent, _ report: inout Report) {
        if event.has(IN_Q_OVERFLOW) {
            report.overflow = true
        } else if event.watch == folderWatch {
            takeOfFolder(event, &report)
        } else if event.watch == parentWatch {
            takeOfParent(event, &report)
        }
    }

    private func takeOfFolder(_ event: InotifyEvent, _ report: inout Report) {
        if event.has(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) {
            report.folderLost = true
            // A directory moved away is still watched, and is not the book's any more.
            if !event.has(IN_IGNORED), let folderWatch { inotify_rm_watch(descriptor, folderWatch) }
            folderWatch = nil
            return
        }
        guard !event.name.isEmpty else {
            report.folderTouched = true
            return
        }
        guard let name = String(validating: event.name, as: UTF8.self) else {
            // Only a scan finds and tells names that are no UTF-8.
            if BookFolder.isCandidate(bytes: Array(event.name)), !event.has(IN_ATTRIB) {
                report.overflow = true
            }
            return
        }
        if name.hasPrefix(TemporaryName.prefix) {
            // Those being made are closed by ourselves.
            if event.has(IN_CLOSE_WRITE), !name.hasPrefix(TemporaryName.unfinishedPrefix) {
                report.insert(name, .temporary)
            }
        } else if name == BookFolder.markerName {
            // Where one went, files may be about to follow it; where one came, the directory may be ours again.
            if event.has(IN_CLOSE_WRITE | IN_MOVED_TO) { report.folderTouched = true }
        } else if BookFolder.isCandidate(name) {
            if event.has(IN_CLOSE_WRITE | IN_MOVED_TO) {
                report.insert(name, .changed)
            } else if event.has(IN_CREATE) {
                report.insert(name, .made)
            } else if event.has(IN_DELETE | IN_MOVED_FROM) {
                report.insert(name, .gone)
            } else if event.has(IN_ATTRIB) {
                report.insert(name, .attributes)
            }
        }
    }

    private func takeOfParent(_ event: InotifyEvent, _ report: inout Report) {
        if event.has(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) {
            report.folderTouched = true
            if !event.has(IN_IGNORED), let parentWatch { inotify_rm_watch(descriptor, parentWatch) }
            parentWatch = nil
        } else if let parent, event.name.elementsEqual(parent.base) {
            if event.has(IN_MOVED_FROM | IN_DELETE) { report.folderLost = true }
            if event.has(IN_CREATE | IN_MOVED_TO) { report.folderTouched = true }
        }
    }

    /// Adds a watch; nil if there is no such directory, or none that we may see.
    private func add(_ path: String, _ events: CInt) throws(DirectoryError) -> CInt? {
        let watch = unsafe inotify_add_watch(descriptor, path, UInt32(bitPattern: events))
        if watch >= 0 { return watch }
        guard [ENOENT, ENOTDIR, ELOOP, EACCES].contains(errno) else {
            throw DirectoryError(operation: "inotify_add_watch", path: path, errno: errno)
        }
        return nil
    }

    private static func parent(of path: String) -> (String, [UInt8])? {
        let parts = path.split(separator: "/")
        guard let base = parts.last else { return nil }
        let above = parts.dropLast().joined(separator: "/")
        let start = path.hasPrefix("/") ? "/" : "./"
        return (start + above, Array(base.utf8))
    }
}
