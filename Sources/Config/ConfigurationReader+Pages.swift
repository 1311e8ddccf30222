import Glibc

extension ConfigurationReader {
    /// Where metrics are served; nil if they are not. Without a host on loopback.
    mutating func metricsListen(_ table: inout TableReader) -> Configuration.Place? {
        place("metrics-listen", of: &table, example: "127.0.0.1:9749", defaultPort: 9749)
    }

    /// Where the page is served; nil for `off`.
    mutating func webListen(
        _ table: inout TableReader,
        default: Configuration.Place?
    ) -> Configuration.Place? {
        let example = "127.0.0.1:8750"
        guard let value = table.take("web-listen") else { return `default` }
        if case .string("off") = value.content { return nil }
        guard let place = place("web-listen", of: &table, example: example, defaultPort: 0) else {
            return `default`
        }
        guard place.isLoopback else {
            problems.add(
                value,
                "web-listen must be on this machine alone, as contacts would travel unencrypted; write it as "
                    + "\"\(example)\", and reach it from elsewhere through ssh -L"
            )
            return `default`
        }
        return place
    }

    private static func isNumeric(_ host: String) -> Bool {
        var address = in6_addr()
        return unsafe inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
    }

    private mutating func place(
        _ key: String,
        of table: inout TableReader,
        example: String,
        defaultPort: UInt16
    ) -> Configuration.Place? {
        guard let (text, value) = table.text(key, example: example, &problems), text != "off" else {
            return nil
        }
        do throws(HostPort.Flaw) {
            let place = try HostPort(text, defaultPort: defaultPort)
            let host = place.host.isEmpty || place.host == "localhost" ? "127.0.0.1" : place.host
            guard Self.isNumeric(host) else {
                throw HostPort.Flaw(reason: "the host must be a numeric address of this machine")
            }
            return Configuration.Place(host: host, port: place.port)
        } catch {
            problems.add(value, "\(key) \"\(text)\": \(error.reason); write it as \"\(example)\", or \"off\"")
            return nil
        }
    }
}
