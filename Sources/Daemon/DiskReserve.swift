import Glibc

/// What is to stay free on the disks of state and books: below it, nothing more of peers is taken in.
///
/// What a person does here still is: a reserve that stopped its owner would be of no use.
final class DiskReserve {
    private let paths: [String]
    private let bytes: UInt64
    private let uptime: () -> UInt64
    private var lookedAt: UInt64?
    /// What is wrong, as a sentence; nil while there is room. As of the last look.
    private(set) var shortage: String?
    /// Hears when room is looked for again.
    var onShortage: () -> Void = {}

    /// How long a look is good for, in milliseconds: far less can be written meanwhile than any reserve holds.
    private static let interval: UInt64 = 200

    /// - Parameters:
    ///   - paths: directories; those that are not there are passed over.
    ///   - bytes: what is to stay free on the disk of each.
    ///   - uptime: a clock that never goes back, milliseconds.
    init(paths: [String], bytes: UInt64, uptime: @escaping () -> UInt64) {
        self.paths = paths
        self.bytes = bytes
        self.uptime = uptime
    }

    /// Whether there is room for what a peer sends.
    var hasRoom: Bool {
        look()
        if shortage != nil { onShortage() }
        return shortage == nil
    }

    /// Looks again, unless that was just done.
    func look() {
        let now = uptime()
        if let lookedAt, now < lookedAt + Self.interval { return }
        lookedAt = now
        for path in paths {
            var info = statvfs()
            guard unsafe statvfs(path, &info) == 0 else { continue }
            let (free, overflow) = UInt64(info.f_bavail).multipliedReportingOverflow(
                by: UInt64(info.f_frsize)
            )
            guard !overflow, free < bytes else { continue }
            shortage =
                "the disk of \(path) has \(free >> 20) MiB left, and disk-reserve is \(bytes >> 20) MiB: "
                + "what peers send waits until there is room"
            return
        }
        shortage = nil
    }
}
