import Controllers
import EventLoop

/// The loop as the controllers see it: something to wait with.
final class LoopScheduler: Scheduler {
    private let loop: EventLoop

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    func after(_ milliseconds: UInt64, _ body: @escaping () -> Void) -> () -> Void {
        let timer = loop.after(milliseconds, body)
        return { timer.cancel() }
    }

    var uptime: UInt64 { loop.now }
}
