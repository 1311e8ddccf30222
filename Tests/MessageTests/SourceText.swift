import FoundationEssentials

/// One file of the sources, as text in which calls and their literals can be found.
struct SourceText {
    /// Below `Sources`.
    let name: String
    /// The directory below `Sources`.
    var room: String { String(name.prefix { $0 != "/" }) }
    private let bytes: [UInt8]
    /// Its lines, and where each begins.
    private let lines: [(text: String, start: Int)]

    /// What stands between the parentheses of a call.
    struct Call {
        let line: Int
        /// All literals in it, those inside interpolations too, joined; an interpolation is `…`.
        let text: String
        /// The argument as it is written.
        let written: String
    }

    init(name: String, _ text: String) {
        self.name = name
        // Comments say nothing to people, and may quote.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let code = lines.map { $0.drop { $0 == " " }.hasPrefix("//") ? "" : $0 }
        bytes = Array(code.joined(separator: "\n").utf8)
        var start = 0
        self.lines = code.map { line in
            defer { start += line.utf8.count + 1 }
            return (String(line), start)
        }
    }

    /// All files of the sources.
    static let all: [SourceText] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources").path
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
            FileManager.default.contents(atPath: root + "/" + name).map {
                SourceText(name: name, String(decoding: $0, as: UTF8.self))
            }
        }
    }()

    /// The calls that begin with one of these words; a word that begins with a dot stands alone, as in `.no(`.
    func calls(_ words: [String]) -> [Call] {
        var out: [Call] = []
        for word in words {
            for start in places(of: word + "(") {
                let before = start > 0 ? bytes[start - 1] : 0x20
                guard !Self.isWord(before), before != 0x2E || word.hasPrefix(".") else { continue }
                let at = start + word.utf8.count + 1
                var place = at
                let text = skipCode(&place, until: 0x29)
                let line = (lines.firstIndex { $0.start > start } ?? lines.count)
                let written = String(decoding: bytes[at..<min(place, bytes.count)], as: UTF8.self)
                out.append(Call(line: line, text: text, written: written))
            }
        }
        return out.sorted { $0.line < $1.line }
    }

    /// The types that are errors.
    var errorTypes: [String] {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line.hasSuffix("{") else { return nil }
            let kinds = line[line.index(after: colon)...].dropLast().split { $0 == "," || $0 == " " }
            let words = line[..<colon].split(separator: " ")
            guard kinds.contains("Error"), let kind = words.dropLast().last,
                ["struct", "enum", "class"].contains(kind)
            else { return nil }
            return words.last.map(String.init)
        }
    }

    /// Where a mark begins, in order.
    private func places(of mark: String) -> [Int] {
        let mark = Array(mark.utf8)
        return lines.filter { $0.text.contains(String(decoding: mark, as: UTF8.self)) }.flatMap { line in
            let end = line.start + line.text.utf8.count - mark.count
            return (line.start...end).filter { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
    }

    /// Reads code up to a closing parenthesis; gives the literals in it.
    private func skipCode(_ at: inout Int, until end: UInt8) -> String {
        var (depth, text) = (0, "")
        while at < bytes.count {
            let byte = bytes[at]
            if byte == end, depth == 0 { return text }
            if byte == 0x28 { depth += 1 }
            if byte == 0x29 { depth -= 1 }
            if byte == 0x22 {
                text += skipLiteral(&at)
            } else {
                at += 1
            }
        }
        return text
    }

    private func skipLiteral(_ at: inout Int) -> String {
        let quote: [UInt8] = [0x22, 0x22, 0x22]
        let isLong = bytes[at...].starts(with: quote)
        at += isLong ? 3 : 1
        var text: [UInt8] = []
        var nested = ""
        while at < bytes.count {
            if isLong ? bytes[at...].starts(with: quote) : bytes[at] == 0x22 {
                at += isLong ? 3 : 1
                break
            }
            if bytes[at] == 0x5C, at + 1 < bytes.count {
                if bytes[at + 1] == 0x28 {
                    at += 2
                    let inner = skipCode(&at, until: 0x29)
                    if inner.contains(where: \.isLetter) { nested += "; " + inner }
                    at += 1
                    text += "…".utf8
                } else {
                    if bytes[at + 1] == 0x6E { text.append(0x0A) } else { text.append(bytes[at + 1]) }
                    at += 2
                }
                continue
            }
            text.append(bytes[at])
            at += 1
        }
        return String(decoding: text, as: UTF8.self) + nested
    }
}
