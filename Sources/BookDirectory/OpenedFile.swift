import AddressBook
import Glibc

/// A regular file that was opened and read as a whole, while nobody changed it.
struct OpenedFile: ~Copyable {
    /// How often a file that changes under the reading is read again. A save ends with an event, so giving up is no
    /// loss.
    static let maxAttempts = 4

    /// One read, in bytes.
    static let chunk = 256 << 10

    let descriptor: Descriptor
    let bytes: [UInt8]
    let stamp: FileStamp

    init(_ folder: CInt, _ name: String, _ calls: FileCalls, limit: Int64 = BookFolder.maxFileSize)
        throws(ReadError)
    {
        let opened = try Self.open(folder, name, calls)
        let (bytes, stamp) = try Self.read(opened.number, name, calls, limit)
        descriptor = opened
        self.bytes = bytes
        self.stamp = stamp
    }

    /// Opens a regular file and nothing else; a pipe or a device is not even opened, as that may have effects.
    static func open(_ folder: CInt, _ name: String, _ calls: FileCalls) throws(ReadError) -> Descriptor {
        do {
            let kind = try calls.lstat(folder, name).kind
            guard kind == .file else { throw ReadError(name: name, reason: .notAFile(kind)) }
            return Descriptor(try calls.open(folder, name, .read))
        } catch let error as ReadError {
            throw error
        } catch let error as Errno {
            throw ReadError(name: name, failed: error)
        } catch {
            preconditionFailure("system calls throw error numbers")
        }
    }

    /// Reads an open file between two equal stamps.
    static func read(
        _ file: CInt,
        _ name: String,
        _ calls: FileCalls,
        _ limit: Int64 = BookFolder.maxFileSize
    ) throws(ReadError) -> ([UInt8], FileStamp) {
        do {
            var before = try calls.stamp(file)
            for _ in 0..<maxAttempts {
                let kind = EntryKind(mode: before.mode)
                guard kind == .file else { throw ReadError(name: name, reason: .notAFile(kind)) }
                guard before.size <= limit else {
                    throw ReadError(name: name, reason: .tooLarge(before.size))
                }
                var bytes: [UInt8] = []
                while bytes.count <= limit {
                    let more = try calls.read(file, Int64(bytes.count), chunkSize(before.size, bytes.count))
                    if more.isEmpty { break }
                    bytes += more
                }
                let after = try calls.stamp(file)
                if after == before, bytes.count == after.size { return (bytes, after) }
                before = after
            }
            throw ReadError(name: name, reason: .unsteady)
        } catch let error as ReadError {
            throw error
        } catch let error as Errno {
            throw ReadError(name: name, failed: error)
        } catch {
            preconditionFailure("system calls throw error numbers")
        }
    }

    /// The rest that is expected and one byte, so that a small file takes two calls and no large buffer.
    private static func chunkSize(_ size: Int64, _ got: Int) -> Int {
        min(max(Int(size) - got, 0) + 1, chunk)
    }
}

extension ReadError {
    /// What the refusal of an open or read means. With `O_NOFOLLOW` a link says `ELOOP`.
    init(name: String, failed: Errno) {
        switch failed.code {
        case ENOENT: self.init(name: name, reason: .missing)
        case ELOOP: self.init(name: name, reason: .notAFile(.link))
        default: self.init(name: name, reason: .unreadable(failed.code))
        }
    }
}
