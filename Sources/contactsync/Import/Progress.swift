import Glibc
import JSON

/// How far a command's own work is, drawn on the terminal of the errors.
struct Progress {
    private let what: String
    private let book: String
    private let colour: Bool
    private let start = Self.now()
    private var shown: Double
    private var screen = Screen(STDERR_FILENO)

    /// Between two drawings, and before the first one, seconds.
    private static let pause = 0.25

    /// - Parameter what: as `WorkBars` calls it.
    init(_ what: String, _ book: String, colour: Bool) {
        (self.what, self.book, self.colour) = (what, book, colour)
        shown = Self.now()
    }

    /// Draws the bar, if it is time for it.
    mutating func show(done: Int, of total: Int) {
        let now = Self.now()
        guard now - shown >= Self.pause else { return }
        shown = now
        let rate = Double(done) / max(now - start, 0.001)
        let work: JSONValue = [
            "what": .string(what), "book": .string(book), "done": .number(done), "total": .number(total),
            "rate": .number(String((rate * 10).rounded() / 10)),
        ]
        var page = Page(isColoured: colour)
        WorkBars.show(["work": [work]], &page)
        screen.draw(page.text)
    }

    /// Takes the bar away.
    mutating func clear() { screen.draw("") }

    private static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
