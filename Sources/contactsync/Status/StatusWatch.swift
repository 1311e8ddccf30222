import Glibc
import JSON

/// `status --watch`: a look a second.
enum StatusWatch {
    /// Milliseconds between two looks.
    private static let pause = 1000

    /// Prints the status again whenever it has changed, until nobody reads it or the daemon ends.
    static func print(_ question: Invocation, _ surroundings: Surroundings) throws(Failure) -> Never {
        var shown: JSONValue?
        while true {
            let status = try surroundings.ask(question)
            if lasting(status) != shown {
                if shown != nil, !question.json { Output.text("\n") }
                let page = surroundings.page(for: question)
                Output.result(status, json: question.json, on: page, StatusPage.show)
                shown = lasting(status)
            }
            _ = poll(nil, 0, CInt(pause))
        }
    }

    /// Draws the status in place until Ctrl-C, also while the daemon is away; says then how it stood.
    static func draw(_ question: Invocation, _ surroundings: Surroundings) throws(Failure) -> ExitCode {
        var screen = Screen(STDOUT_FILENO)
        var code = ExitCode.no
        while true {
            var page = surroundings.page(for: question)
            do throws(Failure) {
                let status = try surroundings.ask(question)
                StatusPage.show(status, &page)
                code = StatusPage.judge(status)
            } catch {
                guard error.exit == .notRunning else { throw error }
                page.line(pieces: [.bad("NOT RUNNING"), Piece(text: "  " + error.message)])
                code = .notRunning
            }
            page.line()
            page.line(pieces: [.faint("Ctrl-C ends this")])
            if Signals.isEnd(milliseconds: pause, while: { screen.draw(page.text) }) {
                // The terminal has written ^C where the cursor stood.
                Output.text("\n")
                return code
            }
        }
    }

    /// Without what changes all the time.
    private static func lasting(_ status: JSONValue) -> JSONValue {
        guard var object = status.object else { return status }
        for key in ["uptime", "time", "work"] { object[key] = nil }
        object["peers"] = .array(
            status.list("peers").map { peer in
                guard var peer = peer.object else { return peer }
                peer["heard"] = nil
                return .object(peer)
            }
        )
        return .object(object)
    }
}
