import CLinux
import Glibc

// The system calls of the tests, by their own names, so that a test reads as what somebody does on the disk.

@discardableResult func symlink(_ to: String, _ path: String) -> CInt { unsafe Glibc.symlink(to, path) }
@discardableResult func link(_ from: String, _ to: String) -> CInt { unsafe Glibc.link(from, to) }
@discardableResult func mkfifo(_ path: String, _ mode: mode_t) -> CInt { unsafe Glibc.mkfifo(path, mode) }
@discardableResult func mkdir(_ path: String, _ mode: mode_t) -> CInt { unsafe Glibc.mkdir(path, mode) }
@discardableResult func rmdir(_ path: String) -> CInt { unsafe Glibc.rmdir(path) }
@discardableResult func rename(_ from: String, _ to: String) -> CInt { unsafe Glibc.rename(from, to) }
@discardableResult func unlink(_ path: String) -> CInt { unsafe Glibc.unlink(path) }
@discardableResult func chmod(_ path: String, _ mode: mode_t) -> CInt { unsafe Glibc.chmod(path, mode) }
@discardableResult func truncate(_ path: String, _ size: Int) -> CInt { unsafe Glibc.truncate(path, size) }

@discardableResult func chown(_ path: String, _ user: uid_t, _ group: gid_t) -> CInt {
    unsafe Glibc.chown(path, user, group)
}

/// Opens a file; the mode is for a new one.
func open(_ path: String, _ flags: CInt, _ mode: mode_t = 0) -> CInt { unsafe Glibc.open(path, flags, mode) }

/// Writes all of a text.
@discardableResult func write(_ file: CInt, _ text: String, _ count: Int) -> Int {
    unsafe Glibc.write(file, text, count)
}

/// stat(2); traps if it fails.
func status(_ path: String) -> stat {
    var status = stat()
    precondition(unsafe fstatat(AT_FDCWD, path, &status, 0) == 0, "the file is there")
    return status
}

/// Sets the modification time, in seconds.
func setTime(_ path: String, _ seconds: Int) {
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    _ = unsafe utimensat(AT_FDCWD, path, [time, time], 0)
}

func setAttribute(_ path: String) -> Bool { unsafe setxattr(path, "user.note", "kept", 4, 0) == 0 }

func getAttribute(_ path: String) -> String {
    var value = [UInt8](repeating: 0, count: 16)
    let count = unsafe getxattr(path, "user.note", &value, 16)
    return String(decoding: value.prefix(max(count, 0)), as: UTF8.self)
}
