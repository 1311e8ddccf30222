import CLibUV

/// Calls a body whenever a descriptor has something to read, until it is closed.
@safe package final class DescriptorWatch: HandleOwner {
    private let loop: EventLoop
    private let handle = Handle(UV_POLL)
    private var readable: (() -> Void)?

    init(_ loop: EventLoop, descriptor: CInt, _ readable: @escaping () -> Void) {
        loop.checkUse()
        self.loop = loop
        self.readable = readable
        do throws(LoopError) {
            let code = unsafe uv_poll_init(loop.raw, handle.pointer(), descriptor)
            try handle.open(owner: self, code, "watch descriptor \(descriptor)")
            let start = unsafe uv_poll_start(handle.pointer(), CInt(UV_READABLE.rawValue)) {
                watch,
                _,
                _ in
                unsafe Handle.owner(watch, DescriptorWatch.self).readable?()
            }
            try LoopError.check(start, "watch descriptor \(descriptor)")
        } catch {
            preconditionFailure("a watched descriptor is open, can be polled and is watched once: \(error)")
        }
    }

    /// Stops watching and drops the body; from here on the descriptor may be closed. Idempotent.
    package func close() {
        readable = nil
        handle.close()
    }
}

extension EventLoop {
    /// Calls `readable` in every turn in which `descriptor` has bytes, an end or an error to read.
    ///
    /// The descriptor becomes non-blocking and stays the caller's, who closes it after the watch. A descriptor
    /// with a lasting error (`POLLERR`) is reported once.
    package func watch(descriptor: CInt, _ readable: @escaping () -> Void) -> DescriptorWatch {
        DescriptorWatch(self, descriptor: descriptor, readable)
    }
}
