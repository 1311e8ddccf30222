import CLibUV
import Glibc

/// One libuv loop: everything that contactsync waits for comes back on the thread that runs it.
///
/// Nothing here is thread-safe and nothing needs to be: every call and every callback is on that one thread,
/// only the body given to `work` is not. A loop runs once; when `run` returns, everything that was opened on
/// it is closed, and using it again is our own mistake and traps.
///
/// Making a loop ignores `SIGPIPE` in the whole process, as a write to a closed socket shall be an error and
/// not an end (libuv's guide, "Ignoring SIGPIPE").
@safe package final class EventLoop {
    private enum Phase { case ready, running, closing, ended }

    let raw: UnsafeMutablePointer<uv_loop_t>

    /// All streams read into this one buffer; what was read leaves it as an array before the next read.
    let readBuffer: UnsafeMutableRawBufferPointer

    /// Bytes; as much as libuv itself suggests for a read.
    static let readBufferSize = 65_536

    private var phase = Phase.ready
    private var thread: uv_thread_t?
    private let turnEnd: TurnEnd

    /// A loop that does not run yet; handles may be opened on it.
    ///
    /// - Throws: when the system gives no more descriptors or memory.
    package init() throws(LoopError) {
        _ = Glibc.signal(SIGPIPE, SIG_IGN)
        let raw = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
        let code = unsafe uv_loop_init(raw)
        guard code == 0 else {
            unsafe raw.deallocate()
            throw LoopError(code: code, operation: "start the event loop")
        }
        unsafe self.raw = raw
        unsafe readBuffer = .allocate(byteCount: EventLoop.readBufferSize, alignment: 16)
        turnEnd = unsafe TurnEnd(raw)
    }

    deinit {
        // Handles hold their loop, so only the loop's own can still be open here.
        if phase == .ready { closeAll() }
        unsafe readBuffer.deallocate()
        unsafe raw.deallocate()
    }

    /// Runs until `stop`, or until there is nothing left to wait for; then closes everything.
    ///
    /// Work that the pool has begun is waited for. What is closed by this end is closed silently: of the
    /// closures given to the loop none is called any more.
    package func run() {
        precondition(phase == .ready, "a loop runs once")
        phase = .running
        thread = uv_thread_self()
        _ = unsafe uv_run(raw, UV_RUN_DEFAULT)
        closeAll()
    }

    /// Runs before `run`, until `isDone`: for a start that waits for what it has asked of other threads.
    package func run(until isDone: () -> Bool) {
        precondition(phase == .ready, "a loop that runs is not run within itself")
        while !isDone() { _ = unsafe uv_run(raw, UV_RUN_ONCE) }
    }

    /// Makes `run` return after what this turn still does.
    package func stop() {
        checkUse()
        unsafe uv_stop(raw)
    }

    /// Milliseconds of the system's monotonic clock, as of the last look at it in this turn.
    package var now: UInt64 { unsafe uv_now(raw) }

    /// Calls `body` once, when everything that was ready in this turn has been handled.
    ///
    /// If nothing else is ready, that is at once after the present callbacks: the loop does not sleep before.
    package func atEndOfTurn(_ body: @escaping () -> Void) {
        checkUse()
        turnEnd.add(body)
    }

    /// False from the moment the loop closes everything: closures are no longer called then.
    var isOpen: Bool { phase == .ready || phase == .running }

    /// Traps where the loop is used from a wrong thread or after its end.
    func checkUse() {
        precondition(isOpen, "a loop is not used after its end")
        precondition(thread.map { $0 == uv_thread_self() } ?? true, "a loop is used on its own thread only")
    }
}

extension EventLoop {
    private func closeAll() {
        phase = .closing
        unsafe uv_walk(raw, { handle, _ in unsafe Handle.closeOwner(handle) }, nil)
        // Runs the close callbacks, and waits for what the pool still does.
        while unsafe uv_loop_alive(raw) != 0 { _ = unsafe uv_run(raw, UV_RUN_DEFAULT) }
        let code = unsafe uv_loop_close(raw)
        precondition(code == 0, "a loop without handles and requests can be closed")
        phase = .ended
    }
}
