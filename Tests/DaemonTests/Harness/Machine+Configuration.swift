import Foundation

extension Machine {
    /// Writes what the daemon will read at its next start.
    func writeConfiguration() throws {
        var lines = [
            "name = \(quoted(name))", "listen = \(quoted("127.0.0.1:\(port)"))", "state = \(quoted(state))",
            "socket = \(quoted(socket))",
        ]
        lines += options.firstLines
        lines += [
            "", "[books.\(Machine.book)]", "directory = \(quoted(directory))",
        ]
        if let region = options.region { lines.append("region = \(quoted(region))") }
        if let policy = options.policy { lines.append("deduplicate = \(quoted(policy))") }
        lines += options.bookLines
        for peer in peers {
            lines += [
                "", "[peers.\(peer.name)]", "id = \(quoted(peer.id))", "books = [\(quoted(Machine.book))]",
            ]
            if let access = peer.access { lines.append("access = \(quoted(access))") }
            if let port = peer.port { lines.append("address = \(quoted("127.0.0.1:\(port)"))") }
        }
        lines += options.lastLines
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: configuration))
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
