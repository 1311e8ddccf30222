import Glibc
import JSON

/// What is shown on a terminal while the daemon works on an answer.
enum Waiting {
    /// Answers that come sooner, in milliseconds, need no explanation.
    private static let silence = 700
    /// Between two looks, milliseconds.
    private static let pause = 250

    /// Draws what the daemon is doing until it answers on `connection`, then clears it away.
    static func show(socket: String, colour: Bool, until connection: borrowing DaemonConnection) {
        guard !connection.isReady(within: silence) else { return }
        var screen = Screen(STDERR_FILENO)
        // A second connection: the first one is busy with the question. Without it nothing is shown.
        guard var other = try? DaemonConnection.open(path: socket) else { return }
        while !connection.isReady(within: pause) {
            // Who gives no answer here gives none at all; the caller says why.
            guard (try? other.put("status", JSONObject())) != nil,
                let status = try? other.answer(to: "status", patience: 5), status.text("failure").isEmpty
            else { break }
            var page = Page(isColoured: colour)
            WorkBars.show(status, &page)
            waitedFor(status, &page)
            screen.draw(page.text)
        }
        screen.draw("")
    }

    /// The peers that are not connected; what they are not sent they cannot acknowledge.
    private static func waitedFor(_ status: JSONValue, _ page: inout Page) {
        for peer in status.list("peers") where peer.text("state") != "connected" {
            let reason = peer.text("lastError")
            page.line(pieces: [
                .warning("waiting for \(peer.text("name"))"), .faint(reason.isEmpty ? "" : ": " + reason),
            ])
        }
    }
}
