package import Config
import Glibc

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

    /// Whether stderr is the journal.
    static var isUnderJournal: Bool { variable("JOURNAL_STREAM") != nil }

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
