import Foundation
import Glibc

/// What is to go wrong with the calls with which a daemon changes what lies on the disk.
struct Fault {
    /// Which calls count; as in `Faults.h`.
    struct Kinds: OptionSet {
        let rawValue: Int64
        static let create = Kinds(rawValue: 1)
        static let write = Kinds(rawValue: 2)
        static let sync = Kinds(rawValue: 4)
        static let name = Kinds(rawValue: 8)
        static let remove = Kinds(rawValue: 16)
        static let all: Kinds = [.create, .write, .sync, .name, .remove]
    }

    /// What happens to them.
    enum Action: Int64 {
        case fail, short, killBefore, killHalf, stall
    }

    /// Where.
    enum Place: Int64 {
        case everywhere, book, state
    }

    var kinds = Kinds.all
    var action: Action
    var error: Int32 = 0
    var place = Place.everywhere
    /// The first call hit, counted from now on, from 1.
    var first: Int
    /// How many after it are.
    var count = Int.max / 2
}

/// The line between a test and the library that is preloaded into a daemon: what is to go wrong, and what did.
final class FaultControl {
    private let descriptor: Int32
    private let path: String
    private let machine: String
    private static let size = 4096

    /// - Parameter machine: the machine's home.
    init(machine: String) throws {
        self.machine = machine
        path = machine + ".faults"
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, Self.size) == 0 else {
            throw Failure("cannot make \(path) (\(errno))")
        }
        put(Fault.Kinds.all.rawValue, at: .kinds)
    }

    deinit { close(descriptor) }

    /// What a daemon needs in its environment.
    func environment(book: String) throws -> [String: String] {
        [
            "LD_PRELOAD": try Executables.path("libFaults.so"), "FAULTS_CONTROL": path,
            "FAULTS_ROOT": machine, "FAULTS_BOOK": book,
        ]
    }

    /// Marked calls so far.
    var calls: Int { Int(get(.calls)) }
    /// Of these hit.
    var hits: Int { Int(get(.hits)) }

    /// The call that was hit last.
    var lastHit: String {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 512) { space, count in
            count = unsafe max(0, pread(descriptor, space.baseAddress, 512, 64))
        }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Lets it happen from now on.
    func arm(_ fault: Fault) {
        disarm()
        put(fault.kinds.rawValue, at: .kinds)
        put(fault.action.rawValue, at: .action)
        put(Int64(fault.error), at: .error)
        put(fault.place.rawValue, at: .place)
        let first = get(.calls) + Int64(fault.first)
        put(first + Int64(fault.count) - 1, at: .last)
        put(first, at: .first)
    }

    /// The disk is well.
    func disarm() {
        put(0, at: .first)
        put(Fault.Kinds.all.rawValue, at: .kinds)
        put(0, at: .place)
    }

    /// The words of `struct faults_control`.
    private enum Word: Int {
        case calls, hits, first, last, kinds, action, error, place
    }

    private func get(_ word: Word) -> Int64 {
        var value: Int64 = 0
        unsafe pread(descriptor, &value, 8, word.rawValue * 8)
        return value
    }

    private func put(_ value: Int64, at word: Word) {
        var value = value
        unsafe pwrite(descriptor, &value, 8, word.rawValue * 8)
    }
}
