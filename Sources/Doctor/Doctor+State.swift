import Config
import Glibc
import Storage
import TLS

extension Doctor {
    /// Before this second of 1970 on, this program did not exist: a machine that says so has no clock.
    private static let oldest = 1_767_225_600  // 2026

    mutating func lookAtClock() {
        guard time(nil) < Self.oldest else { return }
        find(
            .error,
            "the clock of this machine is years behind; of two edits made apart the wrong one would be shown",
            mend: "sudo timedatectl set-ntp true"
        )
    }

    /// Whether a daemon ever ran on the state directory.
    var hasState: Bool { unsafe access(Store.database(in: configuration.state), F_OK) == 0 }

    /// The state directory, the key and the database.
    ///
    /// - Returns: whether a daemon runs on it.
    mutating func lookAtState() -> Bool {
        let state = configuration.state
        guard unsafe access(state, F_OK) == 0 else {
            let parent = Self.existing(above: state)
            if unsafe access(parent, W_OK | X_OK) != 0 {
                find(
                    .error,
                    "the state directory \(state) cannot be made: \(parent) cannot be written",
                    mend: "sudo install -d -o \(userID) -m 700 \(ShellWord.quoted(state))"
                )
            }
            return false
        }
        lookAtRights(state, of: "the state directory", needed: R_OK | W_OK | X_OK, mode: 0o700)
        lookAtDisk(state, holds: "the state", isDatabase: true)
        let key = state + "/key.pem"
        if unsafe access(key, F_OK) == 0 {
            lookAtRights(key, of: "this machine's key", needed: R_OK, mode: 0o600)
            do throws(TLSError) { _ = try Identity.load(directory: state) } catch {
                // What its mode is was told already.
                if Self.mode(key).map({ $0 & 0o077 == 0 }) ?? false {
                    find(
                        .error,
                        "this machine's key cannot be used: \(error.reason)",
                        mend: "ls -l \(ShellWord.quoted(key))"
                    )
                }
            }
        }
        guard hasState else { return false }
        lookAtRights(Store.database(in: state), of: "the database", needed: R_OK | W_OK, mode: 0o600)
        for flaw in Store.check(directory: state) {
            find(
                .error,
                "the database \(Store.database(in: state)) is damaged: \(flaw); the next start keeps it aside and begins a new one, which peers and files fill again",
                mend: "systemctl --user restart contactsync"
            )
        }
        return Store.isInUse(directory: state)
    }

    /// Whether this user may do what is needed, and nobody else what is private.
    mutating func lookAtRights(_ path: String, of what: String, needed: CInt, mode wanted: mode_t? = nil) {
        if unsafe access(path, needed) != 0 {
            find(
                .error,
                "\(what), \(path), cannot be used by this user: \(unsafe String(cString: strerror(errno)))",
                mend: "sudo chown -R \(userID) \(ShellWord.quoted(path))"
            )
        }
        if let wanted, let mode = Self.mode(path), mode & 0o077 != 0 {
            find(
                wanted == 0o600 && path.hasSuffix(".pem") ? .error : .warning,
                "\(what), \(path), is open to others (mode \(String(mode, radix: 8)))",
                mend: "chmod \(String(wanted, radix: 8)) \(ShellWord.quoted(path))"
            )
        }
    }

    /// The permission bits of a path; nil where there is none.
    static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }
}
