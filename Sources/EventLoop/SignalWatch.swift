import CLibUV

/// Calls a body on the loop whenever the process gets a signal, until it is closed.
@safe package final class SignalWatch: HandleOwner {
    private let loop: EventLoop
    private let handle = Handle(UV_SIGNAL)
    private var body: (() -> Void)?

    init(_ loop: EventLoop, number: CInt, _ body: @escaping () -> Void) {
        loop.checkUse()
        self.loop = loop
        self.body = body
        do throws(LoopError) {
            try unsafe handle.open(owner: self, uv_signal_init(loop.raw, handle.pointer()), "watch signals")
            let code = unsafe uv_signal_start(
                handle.pointer(),
                { signal, _ in unsafe Handle.owner(signal, SignalWatch.self).body?() },
                number
            )
            try LoopError.check(code, "watch signal \(number)")
        } catch {
            preconditionFailure("the signals we watch can be caught: \(error)")
        }
    }

    /// Leaves the signal to the system again, and drops the body. Idempotent.
    package func close() {
        body = nil
        handle.close()
    }
}

extension EventLoop {
    /// Calls `body` for every signal `number`; several that arrive together may be one call.
    @discardableResult
    package func signal(_ number: CInt, _ body: @escaping () -> Void) -> SignalWatch {
        SignalWatch(self, number: number, body)
    }
}
