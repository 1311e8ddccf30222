/// What a service tells its manager (sd_notify(3), "Well-known assignments").
package enum Notice: Hashable, Sendable {
    /// It serves; also said when reading the configuration again has ended.
    case ready
    /// What it does, for `systemctl status`; of several lines the first counts.
    case status(String)
    /// It reads its configuration again, since a time of `CLOCK_MONOTONIC` in microseconds.
    case reloading(since: UInt64)
    case stopping
    /// It is not stuck.
    case watchdog

    /// The lines that say it.
    var lines: String {
        switch self {
        case .ready: "READY=1\n"
        case .status(let text): "STATUS=\(text.prefix { !$0.isNewline })\n"
        case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)\n"
        case .stopping: "STOPPING=1\n"
        case .watchdog: "WATCHDOG=1\n"
        }
    }
}
