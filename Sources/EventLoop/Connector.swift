import CLibUV
import Glibc

/// One attempt to connect by TCP: each address of a host in turn, until one answers.
final class Connector {
    private let loop: EventLoop
    private let operation: String
    private let done: (Result<Stream, LoopError>) -> Void
    private var addresses: [SocketAddress] = []
    private var lastError: LoopError

    /// A machine that does not answer at all holds up the next address so long, in milliseconds; the system
    /// itself would wait for two minutes.
    static let addressLimit: UInt64 = 10_000

    /// Of a name with more addresses only so many are tried.
    static let addressCountLimit = 16

    init(_ loop: EventLoop, _ operation: String, _ done: @escaping (Result<Stream, LoopError>) -> Void) {
        self.loop = loop
        self.operation = operation
        self.done = done
        lastError = LoopError(UV_EAI_NONAME, operation)
    }

    /// Looks the host up, unless it is numeric, and begins.
    func start(host: String, port: UInt16) {
        if let address = SocketAddress(numeric: host, port: port) {
            addresses = [address]
            return loop.atEndOfTurn { self.tryNext() }
        }
        let request = Request(UV_GETADDRINFO) { status, request in
            self.addresses = Connector.takeAddresses(request)
            guard self.loop.isOpen else { return }
            if status < 0 { self.lastError = LoopError(code: status, operation: self.operation) }
            self.tryNext()
        }
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        let code = unsafe request.begin { raw in
            unsafe uv_getaddrinfo(
                loop.raw,
                raw,
                { request, status, _ in unsafe Request.ended(request, status) },
                host,
                String(port),
                &hints
            )
        }
        if code < 0 {
            lastError = LoopError(code: code, operation: operation)
            loop.atEndOfTurn { self.tryNext() }
        }
    }
}

extension Connector {
    private func tryNext() {
        guard !addresses.isEmpty else { return done(.failure(lastError)) }
        let address = addresses.removeFirst()
        let stream = Stream(loop, .tcp)
        var isLate = false
        let limit = loop.after(Connector.addressLimit) {
            isLate = true
            stream.close()
        }
        let request = Request(UV_CONNECT) { status, _ in
            limit.cancel()
            guard self.loop.isOpen else { return }
            guard status < 0 else {
                stream.opened()
                return self.done(.success(stream))
            }
            self.failed(stream, isLate ? UV_ETIMEDOUT.rawValue : status)
        }
        let code = unsafe request.begin { raw in
            unsafe address.withPointer { address in
                unsafe uv_tcp_connect(raw, stream.pointer(), address) { unsafe Request.ended($0, $1) }
            }
        }
        if code < 0 {
            limit.cancel()
            loop.atEndOfTurn { self.failed(stream, code) }
        }
    }

    /// Copies what the resolver answered, and gives its list back.
    private static func takeAddresses(_ request: Request) -> [SocketAddress] {
        let list = unsafe request.pointer(uv_getaddrinfo_t.self).pointee.addrinfo
        defer { unsafe uv_freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next, addresses.count < addressCountLimit {
            if let address = unsafe entry.pointee.ai_addr {
                unsafe addresses.append(SocketAddress(address, length: Int(entry.pointee.ai_addrlen)))
            }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    private func failed(_ stream: Stream, _ code: CInt) {
        stream.close()
        lastError = LoopError(code: code, operation: operation)
        tryNext()
    }
}
