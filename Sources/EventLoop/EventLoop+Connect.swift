import CLibUV

extension EventLoop {
    /// Connects by TCP to a name or a numeric address (`::1` or `[::1]`); of a name each address is tried in turn.
    ///
    /// - Parameter done: called once, later, with a stream that is not started yet, or with why the last address
    ///   failed (`ECONNREFUSED`, `ETIMEDOUT` after 10 s without an answer, `EAI_NONAME` …).
    package func connect(
        host: String,
        port: UInt16,
        _ done: @escaping (Result<Stream, LoopError>) -> Void
    ) {
        checkUse()
        Connector(self, "connect to \(host):\(port)", done).start(host: host, port: port)
    }

    /// Connects to a Unix socket.
    ///
    /// - Parameter done: called once, later, with a stream that is not started yet, or with the reason (`ENOENT`,
    ///   `ECONNREFUSED`, `EACCES`, `ENAMETOOLONG` above 107 bytes …).
    package func connect(path: String, _ done: @escaping (Result<Stream, LoopError>) -> Void) {
        checkUse()
        let operation = "connect to \(path)"
        do throws(LoopError) {
            // Only for the length: libuv would cut the path off and connect to another one.
            _ = try UnixAddress(path, operation)
        } catch {
            return atEndOfTurn { done(.failure(error)) }
        }
        let stream = Stream(self, .unix)
        let request = Request(UV_CONNECT) { [self] status, _ in
            guard isOpen else { return }
            guard status < 0 else { return done(.success(stream)) }
            stream.close()
            done(.failure(LoopError(code: status, operation: operation)))
        }
        _ = unsafe request.begin { raw -> CInt in
            unsafe uv_pipe_connect(raw, stream.pointer(), path) { unsafe Request.ended($0, $1) }
            return 0
        }
    }
}
