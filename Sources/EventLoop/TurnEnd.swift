import CLibUV

/// What waits for the end of the loop's turn.
///
/// A check handle runs after the poll, that is after timers and descriptors. While something waits an idle
/// handle is active too: libuv does not sleep in the poll then, nor end its run.
@safe final class TurnEnd: HandleOwner {
    private let check = Handle(UV_CHECK)
    private let idle = Handle(UV_IDLE)
    private var waiting: [() -> Void] = []

    init(_ loop: UnsafeMutablePointer<uv_loop_t>) {
        do throws(LoopError) {
            try unsafe check.open(owner: self, uv_check_init(loop, check.pointer()), "open a check handle")
            try unsafe idle.open(owner: self, uv_idle_init(loop, idle.pointer()), "open an idle handle")
        } catch {
            preconditionFailure("uv_check_init and uv_idle_init cannot fail")
        }
    }

    func add(_ body: @escaping () -> Void) {
        if waiting.isEmpty {
            unsafe uv_check_start(check.pointer()) { unsafe Handle.owner($0, TurnEnd.self).runAll() }
            unsafe uv_idle_start(idle.pointer()) { _ in }
        }
        waiting.append(body)
    }

    func close() {
        waiting = []
        check.close()
        idle.close()
    }

    /// What is added meanwhile waits for the end of the next turn.
    private func runAll() {
        let ready = waiting
        waiting = []
        unsafe uv_check_stop(check.pointer())
        unsafe uv_idle_stop(idle.pointer())
        for body in ready { body() }
    }
}
