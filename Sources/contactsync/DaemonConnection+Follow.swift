import JSON

extension DaemonConnection {
    /// Asks a question whose answer is many messages, and hands on each until `take` says that it was the last.
    ///
    /// - Parameter lost: what to say when the daemon ends meanwhile.
    mutating func follow(
        _ method: String,
        _ parameters: JSONObject,
        take: (JSONValue) -> Bool,
        lost: () -> Failure
    ) throws(Failure) {
        try send(Self.request(method, parameters))
        while true {
            let line: [UInt8]
            do throws(Failure) { line = try receive(patience: nil) } catch { throw lost() }
            guard let message = try? JSONReader.value(line) else { continue }
            if message.object?["error"] != nil { _ = try Self.result(message, method) }
            guard take(message) else { return }
        }
    }
}
