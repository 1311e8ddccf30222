/// Times and durations as people read them.
enum Moment {
    /// `2026-03-01 09:30:00 UTC` from RFC 3339 in UTC; any other text as it stands.
    static func shown(_ time: String) -> String {
        let bytes = Array(time.utf8)
        guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z") else {
            return time
        }
        return time.prefix(10) + " " + time.dropFirst(11).prefix(8) + " UTC"
    }

    /// The two largest units of a number of seconds, such as `3 h 12 min`.
    static func duration(_ seconds: Int64) -> String {
        let units: [(Int64, String)] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        var (rest, parts): (Int64, [String]) = (max(0, seconds), [])
        for (size, name) in units where parts.count < 2 && (rest >= size || !parts.isEmpty) {
            guard rest / size > 0 else { break }
            parts.append("\(rest / size) \(name)")
            rest %= size
        }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }
}
