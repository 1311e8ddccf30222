import Config
import EventLoop
import HTTP
import TLS

/// Serves the page to look at: on loopback, from the first time that somebody asks for its link, for reading only.
///
/// The link carries a token, and so do all links of the page; there is no cookie, which a browser would send to every
/// other server of this machine too.
final class WebServer {
    private unowned let daemon: Daemon
    private var door: HTTPDoor?
    /// Of this start of the daemon: 128 random bits.
    private let token: String

    init(_ daemon: Daemon) {
        self.daemon = daemon
        token = Random.bytes(16).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }

    /// The page's address, token included.
    ///
    /// - Throws: a sentence where there is no page.
    func link() throws(HTTPError) -> String? {
        guard let place = daemon.configuration.webListen else { return nil }
        let host = place.host.contains(":") ? "[\(place.host)]" : place.host
        let door: HTTPDoor
        if let open = self.door { door = open } else { door = try open(place) }
        self.door = door
        return "http://\(host):\(door.port)/?token=\(token)"
    }

    func close() { door?.close() }

    private func open(_ place: Configuration.Place) throws(HTTPError) -> HTTPDoor {
        try HTTPDoor(daemon.loop, host: place.host, port: place.port) { [weak self] request in
            guard let self else { return .plain("the daemon stops\n", status: 503) }
            return answer(request)
        }
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard HTTPDoor.isLocal(request) else {
            return .plain("ask for 127.0.0.1 or localhost\n", status: 403)
        }
        guard Self.areEqual(request.query["token"] ?? "", token) else {
            return .plain("this link holds no longer; `contactsync web` gives a new one\n", status: 403)
        }
        let page = WebPage(daemon, token: token, query: request.query)
        switch request.path {
        case "/": return page.overview()
        case "/book": return page.book() ?? .plain("there is no such book\n", status: 404)
        case "/pulse": return .plain(page.pulse + "\n")
        default: return .plain("there is no such page\n", status: 404)
        }
    }

    /// Compares in a time that does not tell how much of it was right.
    private static func areEqual(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
    }
}
