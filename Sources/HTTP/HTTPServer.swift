import CHTTP

/// A small HTTP/1.1 server without a thread of its own (libmicrohttpd): whoever has a loop watches its descriptor and
/// calls `run`. It must be closed before it goes.
@safe package final class HTTPServer {
    private let handle: (HTTPRequest) -> HTTPResponse
    private let place: String
    /// Nil once closed.
    private var server: OpaquePointer?

    /// Listens on a numeric address; port 0 lets the system choose.
    ///
    /// - Parameter handle: answers a request; called in `run` only.
    package init(
        host: String,
        port: UInt16,
        handle: @escaping (HTTPRequest) -> HTTPResponse
    ) throws(HTTPError) {
        self.handle = handle
        place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        var error: Int32 = 0
        // Unretained: `close` ends the server before this object goes, and then C calls no more.
        unsafe server = contactsync_http_start(
            host,
            port,
            { context, exchange in
                guard let context = unsafe context, let exchange = unsafe exchange else {
                    preconditionFailure("C hands back what it was given")
                }
                unsafe Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().answer(exchange)
            },
            Unmanaged.passUnretained(self).toOpaque(),
            &error
        )
        guard unsafe server != nil else { throw HTTPError(code: error, place: place) }
    }

    deinit { precondition(unsafe server == nil, "a server is closed before it goes") }

    /// The port it listens on.
    package var port: UInt16 { unsafe server.map { unsafe contactsync_http_port($0) } ?? 0 }

    /// Readable when `run` has something to do.
    package var descriptor: CInt { unsafe server.map { unsafe contactsync_http_descriptor($0) } ?? -1 }

    /// Reads, answers and writes as far as it goes without waiting.
    package func run() { if let server = unsafe server { unsafe contactsync_http_run(server) } }

    /// Milliseconds after which `run` should be called even if nothing comes; nil for never.
    package var timeout: UInt64? {
        unsafe server.flatMap { unsafe UInt64(exactly: contactsync_http_timeout($0)) }
    }

    /// Ends all connections. Idempotent; whoever watches the descriptor has stopped before.
    package func close() {
        guard let open = unsafe server else { return }
        unsafe server = nil
        unsafe contactsync_http_stop(open)
    }

    private func answer(_ exchange: OpaquePointer) {
        let query = Query()
        unsafe contactsync_http_query(
            exchange,
            { context, name, value in
                guard let context = unsafe context, let name = unsafe name, let value = unsafe value else {
                    preconditionFailure("C hands back what it was given")
                }
                unsafe Unmanaged<Query>.fromOpaque(context).takeUnretainedValue()
                    .values[String(cString: name)] = unsafe String(cString: value)
            },
            Unmanaged.passUnretained(query).toOpaque()
        )
        let request = unsafe HTTPRequest(
            method: String(cString: contactsync_http_method(exchange)),
            path: String(cString: contactsync_http_path(exchange)),
            host: contactsync_http_header(exchange, "Host").map { unsafe String(cString: $0) },
            query: query.values
        )
        let response = handle(request)
        let words = response.headers.flatMap { [$0.name, $0.value] }
        var text = response.text
        unsafe Self.withCStrings(words[...], []) { headers in
            text.withUTF8 { bytes in
                unsafe contactsync_http_answer(
                    exchange,
                    response.status,
                    bytes.baseAddress,
                    bytes.count,
                    headers,
                    headers.count
                )
            }
        }
    }

    /// Lends words to C, one after the other.
    private static func withCStrings(
        _ words: ArraySlice<String>,
        _ done: [UnsafePointer<CChar>?],
        _ body: ([UnsafePointer<CChar>?]) -> Void
    ) {
        guard let word = words.first else { return unsafe body(done) }
        unsafe word.withCString { unsafe withCStrings(words.dropFirst(), done + [$0], body) }
    }

    /// Where C puts what it finds, while it is asked.
    private final class Query {
        var values: [String: String] = [:]
    }
}
