import Foundation

/// A page taken apart: which elements and attributes it has, and the text between them. Throws at markup that is not
/// well formed, as that is where texts of others come through.
struct Markup {
    private(set) var text = ""
    /// Values by name, in order.
    private(set) var attributes: [String: [String]] = [:]
    private var elements: [String: Int] = [:]

    private static let empty: Set<String> = ["meta", "link", "input", "img", "br"]

    init(_ page: String) throws {
        var rest = Substring(page)
        guard rest.hasPrefix("<!doctype html>") else { throw Failure("no doctype") }
        rest = rest.dropFirst(15)
        var open: [String] = []
        while let start = rest.firstIndex(of: "<") {
            text += Self.decoded(rest[..<start])
            rest = rest[start...]
            if let end = rest.prefixMatch(of: #/<\/([a-z0-9]+)>/#) {
                guard open.popLast() == String(end.output.1) else {
                    throw Failure("\(end.output.0) ends nothing: \(rest.prefix(60))")
                }
                rest = rest[end.range.upperBound...]
                continue
            }
            guard let tag = rest.prefixMatch(of: #/<([a-z0-9]+)((?:\s+[A-Za-z:-]+="[^"<>]*")*)>/#) else {
                throw Failure("no tag: \(rest.prefix(60))")
            }
            let name = String(tag.output.1)
            elements[name, default: 0] += 1
            for pair in tag.output.2.matches(of: #/([A-Za-z:-]+)="([^"]*)"/#) {
                attributes[String(pair.output.1), default: []].append(Self.decoded(pair.output.2))
            }
            rest = rest[tag.range.upperBound...]
            if name == "script" || name == "style" {
                guard let end = rest.range(of: "</\(name)>") else { throw Failure("\(name) has no end") }
                rest = rest[end.upperBound...]
            } else if !Self.empty.contains(name) {
                open.append(name)
            }
        }
        guard open.isEmpty else { throw Failure("not closed: \(open)") }
    }

    func count(_ element: String) -> Int { elements[element] ?? 0 }

    private static func decoded(_ text: Substring) -> String {
        text.replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
            .replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&#39;", with: "'")
            .replacingOccurrences(of: "&amp;", with: "&")
    }
}
