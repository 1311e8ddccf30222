/// Times as people write them.
extension Timestamp {
    /// Milliseconds since 1970 of an RFC 3339 time, or of a date alone, which is its begin in UTC; nil for other texts.
    package static func milliseconds(_ text: String) -> UInt64? {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count else { return nil }
            let digits = bytes[range]
            guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        func has(_ byte: UInt8, at index: Int) -> Bool { index < bytes.count && bytes[index] == byte }
        guard let year = number(0..<4), has(0x2D, at: 4), let month = number(5..<7), has(0x2D, at: 7),
            let day = number(8..<10), year >= 1970, (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let midnight = days(year, month, day) * 86_400_000
        if bytes.count == 10 { return UInt64(midnight) }
        guard has(0x54, at: 10) || has(0x74, at: 10) || has(0x20, at: 10), let hour = number(11..<13),
            has(0x3A, at: 13), let minute = number(14..<16), hour < 24, minute < 60
        else { return nil }
        var at = 16
        var time = midnight + (hour * 60 + minute) * 60_000
        if has(0x3A, at: at) {
            guard let second = number(17..<19), second < 61 else { return nil }
            time += second * 1000
            at = 19
        }
        if has(0x2E, at: at) {
            let digits = bytes[(at + 1)...].prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            let three = (Array(digits) + [0x30, 0x30, 0x30]).prefix(3)
            time += three.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            at += 1 + digits.count
        }
        guard let offset = offset(Array(bytes[at...])) else { return nil }
        return UInt64(exactly: time - offset * 60_000)
    }

    /// Milliseconds of a span such as `90s`, `15m`, `2h` or `7d`; nil for other texts.
    package static func span(_ text: String) -> UInt64? {
        let units: [Character: UInt64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let unit = text.last.flatMap({ units[$0] }), let count = UInt64(text.dropLast()),
            count < 1_000_000
        else { return nil }
        return count * unit
    }

    /// Minutes east of Greenwich: `Z`, `+01:00`, or nothing, which is UTC.
    private static func offset(_ text: [UInt8]) -> Int? {
        if text.isEmpty || text == [0x5A] || text == [0x7A] { return 0 }
        guard text.count == 6, text[3] == 0x3A, text[0] == 0x2B || text[0] == 0x2D,
            let hours = Int(String(decoding: text[1..<3], as: UTF8.self)), (0..<24).contains(hours),
            let minutes = Int(String(decoding: text[4..<6], as: UTF8.self)), (0..<60).contains(minutes)
        else { return nil }
        return (text[0] == 0x2D ? -1 : 1) * (hours * 60 + minutes)
    }

    /// Days since 1970 of a date in the proleptic Gregorian calendar; the inverse of `civil`.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
