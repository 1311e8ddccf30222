import CLibUV

extension EventLoop {
    /// Runs `body` on a thread of libuv's pool, then `then` with its result on the loop's thread.
    ///
    /// Several bodies may run at the same time. A body that was handed in runs to its end even if the loop
    /// stops meanwhile; `then` is not called in that case.
    package func work<Result: Sendable>(
        _ body: @escaping @Sendable () -> Result,
        then: @escaping (Result) -> Void
    ) {
        checkUse()
        let outcome = Outcome<Result>()
        // Written by the pool before libuv's own lock is taken, read by the loop after it.
        let request = Request(UV_WORK, perform: { outcome.value = body() }) { [self] _, _ in
            guard isOpen else { return }
            guard let value = outcome.value else { preconditionFailure("work is never cancelled") }
            then(value)
        }
        let code = unsafe request.begin { work in
            unsafe uv_queue_work(
                raw,
                work,
                { unsafe Request.perform($0) },
                { unsafe Request.ended($0, $1) }
            )
        }
        precondition(code == 0, "uv_queue_work refuses only a missing body")
    }
}

/// Carries what a body returned from the pool to the loop.
private final class Outcome<Value> {
    var value: Value?
}
