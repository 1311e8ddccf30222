import Config
import HTTP

/// Metrics for a Prometheus that asks over HTTP.
enum MetricsServer {
    /// Serves `/metrics`; on loopback only to who asks for loopback.
    static func open(
        _ daemon: Daemon,
        _ place: Configuration.Place
    ) throws(HTTPError) -> HTTPDoor {
        try HTTPDoor(daemon.loop, host: place.host, port: place.port) { [weak daemon] request in
            guard !place.isLoopback || HTTPDoor.isLocal(request) else {
                return .plain("ask for 127.0.0.1 or localhost\n", status: 403)
            }
            guard request.path == "/metrics", let daemon else {
                return .plain("the metrics are at /metrics\n", status: 404)
            }
            return .plain(daemon.metrics.text, type: "text/plain; version=0.0.4; charset=utf-8")
        }
    }
}
