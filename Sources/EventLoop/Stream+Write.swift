import CLibUV

extension Stream {
    /// Writes after all that was written before; the bytes are copied.
    ///
    /// - Parameter done: called once, later, with nil when the system has taken all bytes, else with the
    ///   reason; `ECANCELED` if the stream was closed before. Not called any more when the loop has stopped.
    package func write(_ bytes: [UInt8], _ done: ((LoopError?) -> Void)? = nil) {
        guard isOpen else {
            // The owner closed it, perhaps in this very turn; where nobody is left there is nothing to tell.
            guard loop.isOpen, let done else { return }
            let error = LoopError(UV_ECANCELED, "write to \(peerAddress)")
            return loop.atEndOfTurn { done(error) }
        }
        loop.checkUse()
        let copy = WriteBuffer(bytes)
        let request = Request(UV_WRITE) { [self] status, _ in
            // The request owns the copy, so it lives until here.
            withExtendedLifetime(copy) { didWrite(status, done) }
        }
        let code = unsafe request.begin { write in
            var buffer = unsafe copy.buffer
            return unsafe uv_write(write, pointer(), &buffer, 1) { unsafe Request.ended($0, $1) }
        }
        if code < 0 { loop.atEndOfTurn { [self] in didWrite(code, done) } }
    }

    /// Bytes given to `write` that the system has not taken yet; for slowing down whoever produces them.
    package var pendingBytes: Int {
        isOpen ? unsafe uv_stream_get_write_queue_size(pointer()) : 0
    }

    /// Closes when the other side had its chance to get all that was written; reads no more of it.
    ///
    /// The writing side is shut first, and what still arrives is thrown away until the other side closes too,
    /// at most five seconds: a TCP socket closed with unread bytes would throw away what is under way
    /// (RFC 1122, 4.2.2.13). `onBytes` and `onEnd` are dropped at once.
    package func closeAfterWrites() {
        guard isOpen, lingerLimit == nil else { return }
        onBytes = nil
        onEnd = nil
        let request = Request(UV_SHUTDOWN) { [self] status, _ in
            guard loop.isOpen, isOpen else { return }
            isShut = true
            closeIfLingered(status < 0 ? LoopError(code: status, operation: "shut \(peerAddress)") : nil)
        }
        let code = unsafe request.begin { shutdown in
            unsafe uv_shutdown(shutdown, pointer()) { unsafe Request.ended($0, $1) }
        }
        guard code == 0 else { return close() }
        lingerLimit = loop.after(Stream.lingerMilliseconds) { [self] in close() }
        resume()
    }

    /// A side that does not read, or does not close, holds up `closeAfterWrites` for this long and then loses
    /// the rest.
    static let lingerMilliseconds: UInt64 = 5_000

    /// Ends `closeAfterWrites` when both sides are done, or with an error at once.
    func closeIfLingered(_ error: LoopError?) {
        guard lingerLimit != nil, error != nil || (isShut && hasEnded) else { return }
        close()
    }
}

extension Stream {
    private func didWrite(_ status: CInt, _ done: ((LoopError?) -> Void)?) {
        guard loop.isOpen else { return }
        guard status < 0 else {
            done?(nil)
            return
        }
        let error = LoopError(code: status, operation: "write to \(peerAddress)")
        done?(error)
        end(error)
    }
}

/// Bytes lent to libuv, at one address until the write is over.
@safe private final class WriteBuffer {
    private let bytes: UnsafeMutableBufferPointer<CChar>

    init(_ source: [UInt8]) {
        unsafe bytes = .allocate(capacity: source.count)
        unsafe source.withUnsafeBytes { unsafe UnsafeMutableRawBufferPointer(bytes).copyMemory(from: $0) }
    }

    deinit { unsafe bytes.deallocate() }

    var buffer: uv_buf_t { unsafe uv_buf_init(bytes.baseAddress, CUnsignedInt(bytes.count)) }
}
