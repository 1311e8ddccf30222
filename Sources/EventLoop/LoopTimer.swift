import CLibUV

/// A body that the loop calls after some time, once or again and again.
///
/// Nobody needs to hold it: the loop does, until it has fired for the last time or was cancelled.
@safe package final class LoopTimer: HandleOwner {
    private let loop: EventLoop
    private let handle = Handle(UV_TIMER)
    private let repeats: Bool
    private var body: (() -> Void)?

    init(_ loop: EventLoop, milliseconds: UInt64, repeats: Bool, _ body: @escaping () -> Void) {
        loop.checkUse()
        precondition(!repeats || milliseconds > 0, "a timer that repeats needs an interval")
        self.loop = loop
        self.repeats = repeats
        self.body = body
        do throws(LoopError) {
            try unsafe handle.open(owner: self, uv_timer_init(loop.raw, handle.pointer()), "open a timer")
        } catch {
            preconditionFailure("uv_timer_init cannot fail")
        }
        // The loop's idea of now may be as old as its turn; without this a timer could fire early.
        unsafe uv_update_time(loop.raw)
        unsafe uv_timer_start(
            handle.pointer(),
            { unsafe Handle.owner($0, LoopTimer.self).fire() },
            milliseconds,
            repeats ? milliseconds : 0
        )
    }

    /// Whether it will still fire.
    package var isActive: Bool { handle.isOpen }

    /// Never fires again, and drops its body. Idempotent.
    package func cancel() { close() }

    func close() {
        body = nil
        handle.close()
    }

    private func fire() {
        let body = body
        if !repeats { cancel() }
        body?()
    }
}

extension EventLoop {
    /// Calls `body` once, `milliseconds` from now.
    @discardableResult
    package func after(_ milliseconds: UInt64, _ body: @escaping () -> Void) -> LoopTimer {
        LoopTimer(self, milliseconds: milliseconds, repeats: false, body)
    }

    /// Calls `body` every so many milliseconds (1 or more); turns that came late are not made up for.
    @discardableResult
    package func every(_ milliseconds: UInt64, _ body: @escaping () -> Void) -> LoopTimer {
        LoopTimer(self, milliseconds: milliseconds, repeats: true, body)
    }
}
