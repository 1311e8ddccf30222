import AddressBook
import CLinux
import Glibc

extension FileCalls {
    /// The kernel's own.
    package static let linux = FileCalls(
        openFolder: { path throws(Errno) in
            let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
            return try again { unsafe Glibc.open(path, flags) }
        },
        open: { folder, name, how throws(Errno) in
            switch how {
            case .read:
                let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
                return try again { unsafe openat(folder, name, flags) }
            case .create(let mode):
                let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
                return try again { unsafe openat(folder, name, flags, mode) }
            }
        },
        stamp: { file throws(Errno) in
            var status = Glibc.stat()
            guard unsafe fstat(file, &status) == 0 else { throw .current }
            return FileStamp(status)
        },
        lstat: { folder, name throws(Errno) in
            var status = Glibc.stat()
            guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .current }
            return DirectoryEntry(
                name: name,
                kind: EntryKind(mode: status.st_mode),
                stamp: FileStamp(status)
            )
        },
        read: { file, offset, count throws(Errno) in
            var failed: Errno?
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                filled = 0
                repeat {
                    let got = unsafe pread(file, buffer.baseAddress, count, Int(offset))
                    failed = got < 0 ? .current : nil
                    filled = max(got, 0)
                } while failed?.code == EINTR
            }
            if let failed { throw failed }
            return bytes
        },
        write: { file, bytes throws(Errno) in
            var done = 0
            while done < bytes.count {
                let wrote = unsafe bytes.withUnsafeBytes { buffer in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                    return unsafe Glibc.write(file, rest.baseAddress, rest.count)
                }
                if wrote >= 0 {
                    done += wrote
                } else if errno != EINTR {
                    throw .current
                }
            }
        },
        sync: { descriptor throws(Errno) in _ = try again { fsync(descriptor) } },
        syncFileSystem: { descriptor throws(Errno) in
            try Errno.check(contactsync_sync_file_system(descriptor))
        },
        copyAttributes: { from, to throws(Errno) in try copyAttributesOfFile(from, to) },
        rename: { folder, from, to, how throws(Errno) in
            let kind =
                switch how {
                case .over: CONTACTSYNC_RENAME_OVER
                case .noReplace: CONTACTSYNC_RENAME_NOREPLACE
                case .exchange: CONTACTSYNC_RENAME_EXCHANGE
                }
            try Errno.check(unsafe contactsync_rename(folder, from, to, CInt(kind.rawValue)))
        },
        link: { folder, from, to throws(Errno) in
            guard unsafe linkat(folder, from, folder, to, 0) == 0 else { throw .current }
        },
        unlink: { folder, name throws(Errno) in
            guard unsafe unlinkat(folder, name, 0) == 0 else { throw .current }
        },
        takeLease: { file throws(Errno) in try Errno.check(contactsync_take_read_lease(file)) }
    )
}

/// Repeats a call that a signal interrupted.
private func again(_ call: () -> CInt) throws(Errno) -> CInt {
    while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { throw .current }
    }
}

/// Owner, mode and extended attributes (access lists are some), in this order: a change of owner clears mode bits,
/// and an access list shows in them.
private func copyAttributesOfFile(_ from: CInt, _ to: CInt) throws(Errno) {
    var status = Glibc.stat()
    guard unsafe fstat(from, &status) == 0 else { throw .current }
    var mode = status.st_mode & 0o7777
    if fchown(to, status.st_uid, status.st_gid) != 0, fchown(to, uid_t.max, status.st_gid) != 0 {
        // The group is another one now, so what the old group might do is not for the new one.
        mode &= ~0o7070
    }
    guard fchmod(to, mode) == 0 else { throw .current }
    for name in attributeNames(from) {
        // What the process may not read or set (such as `security.*`) stays behind: no reason to give up the write.
        let size = unsafe fgetxattr(from, name, nil, 0)
        guard size >= 0 else { continue }
        var value = [UInt8](repeating: 0, count: size)
        let got = unsafe fgetxattr(from, name, &value, size)
        guard got >= 0 else { continue }
        _ = unsafe fsetxattr(to, name, value, got, 0)
    }
}

/// The names of the extended attributes of a file, as C strings.
private func attributeNames(_ file: CInt) -> [[CChar]] {
    let size = flistxattr(file, nil, 0)
    guard size > 0 else { return [] }
    var list = [CChar](repeating: 0, count: size)
    let got = unsafe flistxattr(file, &list, size)
    guard got > 0 else { return [] }
    return list[..<got].split(separator: 0).map { Array($0) + [0] }
}
