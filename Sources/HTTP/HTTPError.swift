import CHTTP
import Glibc

/// Why a server cannot be started.
package struct HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's number for it (errno(3)).
    package let code: Int32
    /// Where it was to listen.
    package let place: String

    package var description: String {
        "listen on \(place): \(unsafe String(cString: strerror(code)).lowercased())"
    }
}
