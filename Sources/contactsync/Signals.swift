import Glibc

/// Ctrl-C, taken between two drawings and not in the middle of one.
enum Signals {
    /// Draws, then waits for some milliseconds.
    ///
    /// - Returns: whether SIGINT, SIGTERM or SIGHUP came meanwhile. Outside of this they end the process.
    static func isEnd(milliseconds: Int, while draw: () -> Void) -> Bool {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        defer { unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil) }
        draw()
        var pause = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        return unsafe sigtimedwait(&set, nil, &pause) > 0
    }
}
