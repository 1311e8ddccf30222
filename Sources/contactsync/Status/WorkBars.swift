import JSON

/// Long work, a line each: what, a bar, how much of it, how fast, and how long it will still take.
enum WorkBars {
    /// Columns of a bar.
    private static let width = 24

    static func show(_ status: JSONValue, _ page: inout Page) {
        let works = status.list("work").compactMap { work -> [Piece]? in
            guard let done = work.number("done"), let total = work.number("total"), total > 0, done >= 0,
                done <= total
            else { return nil }
            let filled = Int(Double(done) / Double(total) * Double(width))
            return [
                Piece(text: title(work)),
                .good(String(repeating: "█", count: filled)),
                .faint(String(repeating: "░", count: width - filled)),
                "  \(Int(Double(done) / Double(total) * 100)) %  \(grouped(done)) of \(grouped(total)) \(things(work))",
                .faint(pace(work, left: total - done)),
            ]
        }
        let column = works.map { DisplayWidth.of($0[0].text) }.max() ?? 0
        for var work in works {
            let blanks = String(repeating: " ", count: column + 2 - DisplayWidth.of(work[0].text))
            work.insert(Piece(text: blanks), at: 1)
            page.line(pieces: work)
        }
    }

    private static func title(_ work: JSONValue) -> String {
        let (book, peer) = (work.text("book"), work.text("peer"))
        switch work.text("what") {
        case "read": return "reading \(book)"
        case "write": return "writing \(book)"
        case "receive": return "\(book) from \(peer)"
        case "send": return "\(book) to \(peer)"
        case let other: return "\(other) \(book)"
        }
    }

    private static func things(_ work: JSONValue) -> String {
        switch work.text("what") {
        case "read": "files"
        case "receive", "send": "records"
        default: "contacts"
        }
    }

    private static func pace(_ work: JSONValue, left: Int64) -> String {
        guard let rate = Double(work.text("rate")), rate > 0 else { return "" }
        let speed = rate < 10 ? String((rate * 10).rounded() / 10) : grouped(Int64(rate))
        return "  \(speed)/s, \(Moment.duration(Int64((Double(left) / rate).rounded(.up)))) left"
    }

    /// Digits in groups of three.
    static func grouped(_ number: Int64) -> String {
        var out = ""
        for (at, digit) in String(number).reversed().enumerated() {
            if at > 0, at % 3 == 0, digit != "-" { out.append(",") }
            out.append(digit)
        }
        return String(out.reversed())
    }
}
