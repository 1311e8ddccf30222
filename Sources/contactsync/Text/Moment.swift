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

    /// Whole seconds between two times of RFC 3339 in UTC; nil if one of them is none.
    static func seconds(from start: String, to end: String) -> Int64? {
        guard let start = seconds(of: start), let end = seconds(of: end) else { return nil }
        return end - start
    }

    /// Seconds since 1970.
    private static func seconds(of time: String) -> Int64? {
        let bytes = Array(time.utf8)
        guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z") else {
            return nil
        }
        let places = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19]
        let parts = places.compactMap { Int64(String(decoding: bytes[$0], as: UTF8.self)) }
        guard parts.count == places.count, (1...12).contains(parts[1]) else { return nil }
        // Days of the civil calendar, with years that begin in March.
        let year = parts[1] > 2 ? parts[0] : parts[0] - 1
        let days =
            365 * year + year / 4 - year / 100 + year / 400 + (153 * ((parts[1] + 9) % 12) + 2) / 5 + parts[2]
            - 719_469
        return ((days * 24 + parts[3]) * 60 + parts[4]) * 60 + parts[5]
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
