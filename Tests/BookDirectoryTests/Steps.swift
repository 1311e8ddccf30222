import BookDirectory
import Synchronization

/// Real system calls with somebody acting between two of them, or a failure, at the n-th call of a kind.
final class Steps: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    /// Counts a call and gives its number, from 1.
    func count(_ call: String) -> Int {
        counts.withLock { counts in
            counts[call, default: 0] += 1
            return counts[call, default: 0]
        }
    }
}

extension FileCalls {
    /// Acts before every rename of a kind.
    static func before(
        _ kind: Renaming,
        _ act: @escaping @Sendable (_ number: Int) -> Void
    ) -> FileCalls {
        var calls = FileCalls.linux
        let steps = Steps()
        calls.rename = { folder, from, to, how throws(Errno) in
            if how == kind { act(steps.count("rename")) }
            try FileCalls.linux.rename(folder, from, to, how)
        }
        return calls
    }

    /// A file system without exchange and noreplace; without links too, if asked.
    static func plain(links: Bool, before act: @escaping @Sendable () -> Void = {}) -> FileCalls {
        var calls = FileCalls.linux
        calls.rename = { folder, from, to, how throws(Errno) in
            guard how == .over else { throw Errno(22) }
            act()
            try FileCalls.linux.rename(folder, from, to, how)
        }
        if !links { calls.link = { _, _, _ throws(Errno) in throw Errno(1) } }
        return calls
    }

    /// Where no lease can be had.
    static var withoutLeases: FileCalls {
        var calls = FileCalls.linux
        calls.takeLease = { _ throws(Errno) in throw Errno(13) }
        return calls
    }
}
