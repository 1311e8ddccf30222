import CLibUV

/// The memory of one libuv request, alive from `begin` until libuv calls back.
///
/// C holds a retain meanwhile; `begin` gives it and `ended` takes it, here and nowhere else.
@safe final class Request {
    private let memory: UnsafeMutableRawPointer
    private var finish: ((CInt, Request) -> Void)?

    /// What the pool does; only for `UV_WORK`, and the only part of the loop that runs on another thread.
    private let perform: () -> Void

    /// - Parameter finish: called once on the loop's thread with libuv's status and this request.
    init(_ type: uv_req_type, perform: @escaping () -> Void = {}, finish: @escaping (CInt, Request) -> Void) {
        unsafe memory = .allocate(byteCount: uv_req_size(type), alignment: 16)
        self.perform = perform
        self.finish = finish
    }

    deinit { unsafe memory.deallocate() }

    /// The request as libuv's type `Raw`, which must be the one it was made for.
    func pointer<Raw>(_: Raw.Type = Raw.self) -> UnsafeMutablePointer<Raw> {
        unsafe memory.assumingMemoryBound(to: Raw.self)
    }

    /// Hands the request to libuv. If libuv refuses (a negative answer), `finish` is dropped, not called.
    func begin<Raw>(_ call: (UnsafeMutablePointer<Raw>) -> CInt) -> CInt {
        let retained = unsafe Unmanaged.passRetained(self)
        unsafe uv_req_set_data(pointer(), retained.toOpaque())
        let code = unsafe call(pointer())
        if code < 0 {
            finish = nil
            unsafe retained.release()
        }
        return code
    }

    /// For libuv's callback: the request is over with `status`.
    static func ended(_ raw: UnsafeMutableRawPointer?, _ status: CInt) {
        let request = unsafe unmanaged(raw).takeRetainedValue()
        let finish = request.finish
        request.finish = nil
        finish?(status, request)
    }

    /// For libuv's callback on a thread of the pool.
    static func perform(_ raw: UnsafeMutableRawPointer?) {
        unsafe unmanaged(raw).takeUnretainedValue().perform()
    }
}

extension Request {
    private static func unmanaged(_ raw: UnsafeMutableRawPointer?) -> Unmanaged<Request> {
        guard let base = unsafe raw?.assumingMemoryBound(to: uv_req_t.self),
            let data = unsafe uv_req_get_data(base)
        else { preconditionFailure("libuv calls back with the request that was begun") }
        return unsafe Unmanaged<Request>.fromOpaque(data)
    }
}
