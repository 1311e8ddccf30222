import CLibUV

/// Says after each turn of the loop how long it was at work: so long whatever became ready meanwhile had to wait.
@safe package final class LoopClock: HandleOwner {
    private let loop: EventLoop
    private let handle = Handle(UV_PREPARE)
    private var body: ((Duration) -> Void)?
    private var last: (time: UInt64, idle: UInt64)

    fileprivate init(_ loop: EventLoop, _ body: @escaping (Duration) -> Void) {
        loop.checkUse()
        self.loop = loop
        self.body = body
        last = (uv_hrtime(), 0)
        do throws(LoopError) {
            // Without it libuv does not count the time that it sleeps in the poll.
            try unsafe LoopError.check(contactsync_measure_idle_time(loop.raw), "measure the loop")
            let code = unsafe uv_prepare_init(loop.raw, handle.pointer())
            try handle.open(owner: self, code, "open a prepare handle")
        } catch {
            preconditionFailure("every loop can be measured: \(error)")
        }
        unsafe uv_prepare_start(handle.pointer()) { unsafe Handle.owner($0, LoopClock.self).turn() }
        // Measuring is no reason to run on.
        unsafe uv_unref(handle.pointer())
    }

    /// Measures no more, and drops the body. Idempotent.
    package func close() {
        body = nil
        handle.close()
    }

    private func turn() {
        let now = (time: uv_hrtime(), idle: unsafe uv_metrics_idle_time(loop.raw))
        let (passed, slept) = (now.time - last.time, now.idle - last.idle)
        last = now
        body?(.nanoseconds(passed > slept ? passed - slept : 0))
    }
}

extension EventLoop {
    /// Calls `body` after each turn with the time for which the loop was at work.
    package func measure(_ body: @escaping (Duration) -> Void) -> LoopClock { LoopClock(self, body) }
}
