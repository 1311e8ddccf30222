/// A host and a port as people write them: `desktop.lan:8749`, `192.0.2.7`, `[2001:db8::7]:8749`, `:8749`.
package struct HostPort {
    /// Without brackets; empty if only a port was written.
    let host: String
    let port: UInt16

    /// Why a text is no host and port.
    package struct Flaw: Error {
        package let reason: String
    }

    /// Reads one; a port that is not written is `defaultPort`.
    init(_ text: String, defaultPort: UInt16) throws(Flaw) {
        var rest = Substring(text)
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { throw Flaw(reason: "the bracket is not closed") }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            guard host.contains(":") else { throw Flaw(reason: "only an IPv6 address stands in brackets") }
            rest = rest[rest.index(after: end)...]
        } else {
            let colons = text.count { $0 == ":" }
            guard colons < 2 else {
                throw Flaw(reason: "an IPv6 address stands in brackets, as in [::]:8749")
            }
            let end = rest.firstIndex(of: ":") ?? rest.endIndex
            host = String(rest[..<end])
            rest = rest[end...]
        }
        guard !host.contains(where: { $0.isWhitespace || $0 == "/" || $0 == "@" }) else {
            throw Flaw(reason: "a host has no blanks and no slashes; write no https://")
        }
        if rest.isEmpty {
            port = defaultPort
        } else if rest.first == ":", rest.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }),
            let number = UInt16(rest.dropFirst())
        {
            port = number
        } else {
            throw Flaw(reason: "the port is a number from 0 to 65535")
        }
    }
}
