import CLibUV
import Glibc

/// Accepts connections on a TCP port or a Unix socket, until it is closed.
///
/// The loop holds it while it is open, its owner need not.
@safe package final class Listener: HandleOwner {
    /// The port that was asked for, or the one that the system chose; 0 for a Unix socket.
    package private(set) var port: UInt16 = 0

    private let loop: EventLoop
    private let kind: Stream.Kind
    private let handle: Handle
    private var accept: ((Stream) -> Void)?
    private var file: SocketFile?

    private init(_ loop: EventLoop, _ kind: Stream.Kind, _ accept: @escaping (Stream) -> Void) {
        loop.checkUse()
        self.loop = loop
        self.kind = kind
        self.accept = accept
        handle = Handle(kind == .tcp ? UV_TCP : UV_NAMED_PIPE)
    }

    fileprivate convenience init(
        _ loop: EventLoop,
        _ address: SocketAddress,
        _ accept: @escaping (Stream) -> Void
    ) throws(LoopError) {
        self.init(loop, .tcp, accept)
        let operation = "listen on \(address.text)"
        try unsafe handle.open(owner: self, uv_tcp_init(loop.raw, handle.pointer()), operation)
        do throws(LoopError) {
            let code = unsafe address.withPointer { unsafe uv_tcp_bind(handle.pointer(), $0, 0) }
            try LoopError.check(code, operation)
            try listen(operation)
            port = unsafe SocketAddress { unsafe uv_tcp_getsockname(handle.pointer(), $0, $1) }?.port ?? 0
        } catch {
            close()
            throw error
        }
    }

    fileprivate convenience init(
        _ loop: EventLoop,
        path: String,
        _ accept: @escaping (Stream) -> Void
    ) throws(LoopError) {
        self.init(loop, .unix, accept)
        let operation = "listen on \(path)"
        let made = try SocketFile.listen(path: path)
        do throws(LoopError) {
            try unsafe handle.open(owner: self, uv_pipe_init(loop.raw, handle.pointer(), 0), operation)
            try unsafe LoopError.check(uv_pipe_open(handle.pointer(), made.descriptor), operation)
        } catch {
            made.file.remove()
            Glibc.close(made.descriptor)
            handle.close()
            throw error
        }
        // From here on the handle owns the descriptor.
        file = made.file
        do throws(LoopError) {
            try listen(operation)
        } catch {
            close()
            throw error
        }
    }

    fileprivate convenience init(
        _ loop: EventLoop,
        descriptor: CInt,
        _ accept: @escaping (Stream) -> Void
    ) throws(LoopError) {
        self.init(loop, .unix, accept)
        let operation = "listen on descriptor \(descriptor)"
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw .last(operation) }
        do throws(LoopError) {
            try unsafe handle.open(owner: self, uv_pipe_init(loop.raw, handle.pointer(), 0), operation)
            try unsafe LoopError.check(uv_pipe_open(handle.pointer(), own), operation)
        } catch {
            Glibc.close(own)
            handle.close()
            throw error
        }
        do throws(LoopError) {
            try listen(operation)
        } catch {
            close()
            throw error
        }
    }

    /// Accepts no more, and removes the Unix socket's file if it is still ours. What was accepted stays. Idempotent.
    package func close() {
        accept = nil
        file?.remove()
        file = nil
        handle.close()
    }
}

extension Listener {
    private func listen(_ operation: String) throws(LoopError) {
        let code = unsafe uv_listen(handle.pointer(), SocketFile.backlog) { listener, status in
            // A failed accept (no descriptors left) costs that connection only; libuv goes on listening.
            guard status == 0 else { return }
            unsafe Handle.owner(listener, Listener.self).acceptOne()
        }
        try LoopError.check(code, operation)
    }

    private func acceptOne() {
        let stream = Stream(loop, kind)
        guard unsafe uv_accept(handle.pointer(), stream.pointer()) == 0 else { return stream.close() }
        stream.opened()
        accept?(stream)
    }
}

extension EventLoop {
    /// Listens on a numeric address; `::` or `[::]` means IPv6 and IPv4 alike. Port 0 lets the system choose.
    ///
    /// - Throws: `EINVAL` for a host that is no address, else what the system said (`EADDRINUSE`, `EACCES` …).
    package func listen(
        host: String,
        port: UInt16,
        _ accept: @escaping (Stream) -> Void
    ) throws(LoopError) -> Listener {
        guard let address = SocketAddress(numeric: host, port: port) else {
            throw LoopError(UV_EINVAL, "listen on \(host):\(port)")
        }
        do {
            return try Listener(self, address, accept)
        } catch {
            // A machine without IPv6 has no `::`, but it has all of IPv4.
            guard error.name == "EAFNOSUPPORT", SocketAddress.withoutBrackets(host) == "::",
                let any = SocketAddress(numeric: "0.0.0.0", port: port)
            else { throw error }
            return try Listener(self, any, accept)
        }
    }

    /// Listens on a Unix socket that only this user can open (mode 0600 from the first moment).
    ///
    /// A socket that nobody answers on is replaced; the file is removed when the listener closes.
    ///
    /// - Throws: `EADDRINUSE` if somebody answers on it or the path is no socket, `ENAMETOOLONG` for a path
    ///   above 107 bytes, else what the system said.
    package func listen(
        path: String,
        _ accept: @escaping (Stream) -> Void
    ) throws(LoopError) -> Listener {
        try Listener(self, path: path, accept)
    }

    /// Accepts on a Unix stream socket that somebody else has bound; it stays the caller's, and so does its file.
    ///
    /// - Throws: what the system said, such as `EINVAL` for a descriptor that is no such socket.
    package func listen(
        descriptor: CInt,
        _ accept: @escaping (Stream) -> Void
    ) throws(LoopError) -> Listener {
        try Listener(self, descriptor: descriptor, accept)
    }
}
