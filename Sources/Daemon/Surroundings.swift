import CLinux
package import Config
import Glibc
import Supervision

/// What the process is given: clock, environment, limits. Nothing below this room reads them.
package enum Surroundings {
    /// Milliseconds since 1970.
    package static func wallClock() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec > 0 ? UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000 : 0
    }

    /// The number of this process.
    static var process: Int { Int(getpid()) }

    static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// What a configuration takes from the process.
    package static func environment() -> ConfigEnvironment {
        ConfigEnvironment(
            home: variable("HOME") ?? "/",
            hostName: hostName(),
            runtimeDirectory: variable("XDG_RUNTIME_DIR"),
            stateHome: variable("XDG_STATE_HOME"),
            configHome: variable("XDG_CONFIG_HOME"),
            userID: getuid()
        )
    }

    /// Nanoseconds since some moment, never set.
    static func monotonicClock() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The journal, if stderr leads there.
    static func journal() -> JournalSocket? {
        JournalSocket.isBehind(2, stream: variable("JOURNAL_STREAM")) ? JournalSocket() : nil
    }

    /// Who started us, if it is a service manager. To be called once; what we start ourselves is not its service.
    static func supervisor() -> Supervisor {
        let supervisor = Supervisor(variable, processID: getpid())
        for name in Supervisor.variables { unsafe unsetenv(name) }
        return supervisor
    }

    /// Returns free pages of the allocator to the system; on any thread.
    static func giveMemoryBack() { _ = contactsync_give_memory_back() }

    /// Ends the process with exit code 0 after so many milliseconds, whatever it does then.
    static func end(within milliseconds: Int) {
        _ = signal(SIGALRM) { _ in _exit(0) }
        var timer = itimerval()
        timer.it_value = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        _ = unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
    }

    private static func hostName() -> String {
        let bytes = unsafe [CChar](unsafeUninitializedCapacity: 256) { buffer, count in
            count = 0
            guard let start = buffer.baseAddress, unsafe gethostname(start, 255) == 0 else { return }
            count = unsafe strnlen(start, 255)
        }
        let name = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? "contactsync" : name
    }
}
