import JSON

extension DaemonConnection {
    /// Asks one question as JSON-RPC 2.0 has it (https://www.jsonrpc.org/specification), and returns its result.
    ///
    /// Throws what the daemon refuses, with the exit code it says.
    mutating func ask(_ method: String, _ parameters: JSONObject, patience: Int?) throws(Failure) -> JSONValue
    {
        try put(method, parameters)
        try explainSilence(storing: patience != nil)
        return try answer(to: method, patience: patience)
    }

    /// Puts a question, whose answer is to be taken later.
    func put(_ method: String, _ parameters: JSONObject) throws(Failure) {
        try send(Self.request(method, parameters))
    }

    /// Takes the answer to the question that was put.
    mutating func answer(to method: String, patience: Int?) throws(Failure) -> JSONValue {
        while true {
            let line = try receive(patience: patience)
            let answer: JSONValue
            do throws(JSONFlaw) {
                answer = try JSONReader.value(line)
            } catch {
                throw Failure(
                    .no,
                    "the answer of contactsyncd is no JSON (\(error.reason)). Install the same version of both"
                )
            }
            // A line without our id is a notification, or about a line that was not ours.
            guard answer.at("id") == 1 || !answer.at("error").isNull else { continue }
            return try Self.result(answer, method)
        }
    }

    static func request(_ method: String, _ parameters: JSONObject) -> [UInt8] {
        JSONWriter.bytes([
            "jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .object(parameters),
        ])
    }

    static func result(_ answer: JSONValue, _ method: String) throws(Failure) -> JSONValue {
        guard let error = answer.object?["error"], !error.isNull else {
            guard let result = answer.object?["result"] else {
                throw Failure(
                    .no,
                    "contactsyncd answered neither result nor error. Install the same version of both"
                )
            }
            return result
        }
        let unknownMethod: Int64 = -32601
        if error.number("code") == unknownMethod {
            throw Failure(
                .refused,
                "this contactsyncd does not know `\(method)`. Install the same version of both"
            )
        }
        var message = error.text("message")
        // What several persons fit comes with them, so that the next command can name one.
        for person in error.at("data").list("persons") {
            message += "\n  \(person.text("uid"))  \(person.text("name"))"
        }
        let exit = error.at("data").number("exit").flatMap { Int32(exactly: $0) }.flatMap(
            ExitCode.init(rawValue:)
        )
        throw Failure(
            exit ?? .no,
            message.isEmpty ? "contactsyncd refused without a reason. Look into its log" : message
        )
    }
}
