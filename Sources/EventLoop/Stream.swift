import CLibUV
import Glibc

/// A connection in both directions: TCP, or a Unix socket.
///
/// The loop holds an open stream, its owner need not. Nothing arrives before `start`. After `onEnd` the stream
/// is still open (writing may go on after the other side's end) until `close` or `closeAfterWrites`.
@safe package final class Stream: HandleOwner {
    enum Kind { case tcp, unix }

    /// Bytes that arrived, never none. Dropped at close.
    package var onBytes: (([UInt8]) -> Void)?

    /// Called once: with nil when the other side ended, else with what broke the connection. Dropped at close.
    package var onEnd: ((LoopError?) -> Void)?

    /// `192.0.2.1:8749` or `[2001:db8::1]:8749`; of a Unix socket `unix`.
    package private(set) var peerAddress = "unix"

    /// The other end's address without the port; of a Unix socket `unix`.
    package private(set) var peerHost = "unix"

    /// The network that the other end is in: an IPv4 address, or the first 64 bits of an IPv6 address.
    package private(set) var peerNetwork = "unix"

    let loop: EventLoop
    let kind: Kind
    private let handle: Handle
    private var isReading = false
    private(set) var hasEnded = false

    /// Cancels `closeAfterWrites` when it takes too long; nil before it was called.
    var lingerLimit: LoopTimer?

    /// All was written and the writing side is shut.
    var isShut = false

    init(_ loop: EventLoop, _ kind: Kind) {
        loop.checkUse()
        self.loop = loop
        self.kind = kind
        handle = Handle(kind == .tcp ? UV_TCP : UV_NAMED_PIPE)
        do throws(LoopError) {
            let code =
                switch kind {
                case .tcp: unsafe uv_tcp_init(loop.raw, handle.pointer())
                case .unix: unsafe uv_pipe_init(loop.raw, handle.pointer(), 0)
                }
            try handle.open(owner: self, code, "open a stream")
        } catch {
            preconditionFailure("a stream without a socket can be made")
        }
    }

    /// Begins to read; called once, when `onBytes` and `onEnd` are set.
    package func start() { resume() }

    /// Reads no more until `resume`, so that the other side has to wait.
    package func pause() {
        guard handle.isOpen, isReading else { return }
        isReading = false
        unsafe uv_read_stop(pointer())
    }

    /// Reads again; nothing if it reads already, or after the end.
    package func resume() {
        guard handle.isOpen, !isReading, !hasEnded else { return }
        loop.checkUse()
        let code = unsafe uv_read_start(
            pointer(),
            { stream, _, buffer in
                let target = unsafe Handle.owner(stream, Stream.self).loop.readBuffer
                guard let start = target.baseAddress else { preconditionFailure("the buffer is not empty") }
                unsafe buffer?.pointee = uv_buf_init(
                    start.assumingMemoryBound(to: CChar.self),
                    CUnsignedInt(target.count)
                )
            },
            { stream, count, _ in unsafe Handle.owner(stream, Stream.self).didRead(count) }
        )
        if code == 0 {
            isReading = true
        } else {
            // Only a connection that the system has already taken back; told like any other end.
            let error = LoopError(code: code, operation: "read from \(peerAddress)")
            loop.atEndOfTurn { [self] in end(error) }
        }
    }

    /// Closes now; what was not written yet is lost and its callbacks get `ECANCELED`. Idempotent.
    package func close() {
        onBytes = nil
        onEnd = nil
        isReading = false
        lingerLimit?.cancel()
        handle.close()
    }

    var isOpen: Bool { handle.isOpen }

    /// The stream as libuv's type `Raw`.
    func pointer<Raw>(_ type: Raw.Type = Raw.self) -> UnsafeMutablePointer<Raw> {
        unsafe handle.pointer(type)
    }

    /// The connection stands: accepted, or connected.
    func opened() {
        guard kind == .tcp else { return }
        let address = unsafe SocketAddress { unsafe uv_tcp_getpeername(pointer(), $0, $1) }
        peerAddress = address?.text ?? "?"
        peerHost = address?.host ?? "?"
        peerNetwork = address?.network ?? "?"
    }

    /// Reports the end of the connection, the first time.
    func end(_ error: LoopError?) {
        guard handle.isOpen, !hasEnded else { return }
        pause()
        hasEnded = true
        closeIfLingered(error)
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?(error)
    }
}

extension Stream {
    private func didRead(_ count: Int) {
        if count > 0 {
            guard let onBytes else { return }
            let read = unsafe UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count])
            unsafe onBytes(Array(read))
        } else if count < 0 {
            let code = CInt(count)
            end(
                code == UV_EOF.rawValue ? nil : LoopError(code: code, operation: "read from \(peerAddress)")
            )
        }
    }
}
