import CLibUV
import Glibc

extension Stream {
    /// The user who has the other end of a Unix socket, as the system saw it at connect; nil for TCP.
    package var peerUserID: UInt32? {
        guard kind == .unix, let descriptor else { return nil }
        // struct ucred: process, user and group, each 32 bits (unix(7)).
        var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        let code = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        return code == 0 ? credentials.user : nil
    }

    /// Makes TCP send small frames at once, and find a dead peer without any traffic of ours.
    ///
    /// An idle connection is probed after `keepalive` seconds, then every 10 s; three probes without an answer
    /// end it. Bytes without acknowledgement end it after 60 s (tcp(7), `TCP_USER_TIMEOUT`). Nothing on a Unix
    /// socket.
    package func tune(keepalive seconds: Int32 = 30) {
        guard kind == .tcp, let descriptor else { return }
        let options: [(level: CInt, name: CInt, value: CInt)] = [
            (CInt(IPPROTO_TCP), TCP_NODELAY, 1),
            (SOL_SOCKET, SO_KEEPALIVE, 1),
            (CInt(IPPROTO_TCP), TCP_KEEPIDLE, seconds),
            (CInt(IPPROTO_TCP), TCP_KEEPINTVL, 10),
            (CInt(IPPROTO_TCP), TCP_KEEPCNT, 3),
            (CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, 60_000),
        ]
        for option in options {
            var value = option.value
            // A system without one of these still carries the connection, so a refusal is no error.
            _ = unsafe setsockopt(
                descriptor,
                option.level,
                option.name,
                &value,
                socklen_t(MemoryLayout.size(ofValue: value))
            )
        }
    }

    /// The socket; nil once closed.
    var descriptor: CInt? {
        guard isOpen else { return nil }
        var descriptor: CInt = -1
        return unsafe uv_fileno(pointer(), &descriptor) == 0 ? descriptor : nil
    }
}
