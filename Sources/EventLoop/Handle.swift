import CLibUV

/// What lives around a `Handle`; `close()` must be idempotent and close the handle.
protocol HandleOwner: AnyObject {
    func close()
}

/// The memory of one libuv handle, and the one place that says who keeps whom alive.
///
/// From `open` until the close callback C holds a retain on the `Handle`, and the `Handle` one on its owner.
/// So neither can go away while libuv may still call back, and both are let go in the close callback.
@safe final class Handle {
    private let memory: UnsafeMutableRawPointer
    private var owner: (any HandleOwner)?

    /// Initialised by libuv, and not yet asked to close.
    private(set) var isOpen = false

    init(_ type: uv_handle_type) {
        // libuv's structures need no more than the alignment of malloc.
        unsafe memory = .allocate(byteCount: uv_handle_size(type), alignment: 16)
    }

    deinit {
        precondition(!isOpen && owner == nil, "a handle is freed after its close callback")
        unsafe memory.deallocate()
    }

    /// The handle as libuv's type `Raw`, which must be the one it was made for, or a base of it.
    func pointer<Raw>(_: Raw.Type = Raw.self) -> UnsafeMutablePointer<Raw> {
        unsafe memory.assumingMemoryBound(to: Raw.self)
    }

    /// Takes over a handle that libuv's `uv_…_init` has just initialised with the answer `code`.
    ///
    /// - Throws: what libuv answered; nothing is retained then.
    func open(owner: any HandleOwner, _ code: CInt, _ operation: String) throws(LoopError) {
        precondition(!isOpen && self.owner == nil, "a handle is opened once")
        try LoopError.check(code, operation)
        isOpen = true
        self.owner = owner
        // Retained for C; the close callback below takes it back.
        unsafe uv_handle_set_data(pointer(), Unmanaged.passRetained(self).toOpaque())
    }

    /// Asks libuv to close; no callback but the close callback comes after. Idempotent.
    func close() {
        guard isOpen else { return }
        isOpen = false
        unsafe uv_close(pointer()) { raw in
            guard let data = unsafe uv_handle_get_data(raw) else {
                preconditionFailure("open has set the data")
            }
            unsafe Unmanaged<Handle>.fromOpaque(data).takeRetainedValue().owner = nil
        }
    }

    /// The owner of the handle that a callback was given.
    static func owner<Owner>(_ raw: UnsafeMutableRawPointer?, _: Owner.Type = Owner.self) -> Owner {
        guard let owner = unsafe handle(raw).owner as? Owner else {
            preconditionFailure("an open handle has an owner of its own kind")
        }
        return owner
    }

    /// Closes whatever owns the handle; for the end of the loop, which knows handles only.
    static func closeOwner(_ raw: UnsafeMutableRawPointer?) {
        unsafe handle(raw).owner?.close()
    }
}

extension Handle {
    private static func handle(_ raw: UnsafeMutableRawPointer?) -> Handle {
        guard let base = unsafe raw?.assumingMemoryBound(to: uv_handle_t.self),
            let data = unsafe uv_handle_get_data(base)
        else { preconditionFailure("libuv calls back with the handle that was opened") }
        return unsafe Unmanaged<Handle>.fromOpaque(data).takeUnretainedValue()
    }
}
