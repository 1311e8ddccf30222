package import JSON

/// The answer to one request.
package struct Reply: Hashable, Sendable {
    /// The ID of the request; null where it could not be read.
    package let id: RequestID
    /// What `--json` prints, or why there is nothing to print.
    package let outcome: Result<JSONValue, RPCError>

    package init(id: RequestID, outcome: Result<JSONValue, RPCError>) {
        self.id = id
        self.outcome = outcome
    }

    package init(id: RequestID, result: JSONValue) { self.init(id: id, outcome: .success(result)) }
    package init(id: RequestID, error: RPCError) { self.init(id: id, outcome: .failure(error)) }

    /// The answer to what was no request.
    package init(_ flaw: Request.Flaw) { self.init(id: flaw.id, error: flaw.error) }

    /// The reply as a value.
    package var json: JSONValue {
        switch outcome {
        case .success(let result): ["jsonrpc": "2.0", "id": id.json, "result": result]
        case .failure(let error):
            [
                "jsonrpc": "2.0", "id": id.json,
                "error": [
                    "code": .number(error.code), "message": .string(error.message),
                    "data": ["exit": .number(error.exit)],
                ],
            ]
        }
    }

    /// The reply as one line, with its end.
    package var line: [UInt8] { JSONWriter.bytes(json) + [UInt8(ascii: "\n")] }

    /// Reads a line that the daemon wrote, once parsed; nil if it is no reply (an event, or not ours).
    package static func decode(_ value: JSONValue) -> Reply? {
        guard let object = value.object, object["jsonrpc"]?.string == "2.0",
            let id = object["id"].flatMap(RequestID.init)
        else { return nil }
        if let result = object["result"] { return Reply(id: id, result: result) }
        guard let error = object["error"]?.object, let code = error["code"]?.integer,
            let message = error["message"]?.string
        else { return nil }
        let exit = error["data"]?.object?["exit"]?.integer ?? 1
        return Reply(id: id, error: RPCError(code: Int(code), message: message, exit: Int(exit)))
    }
}
