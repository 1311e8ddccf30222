package import JSON

/// One call on the daemon's socket (JSON-RPC 2.0), or with no ID a notification: an event of the daemon.
package struct Request: Hashable, Sendable {
    /// Nil for a notification, which gets no reply.
    package let id: RequestID?
    /// The command's or the event's name.
    package let method: String
    /// The named parameters; empty if there were none.
    package let params: JSONObject

    package init(id: RequestID?, method: String, params: JSONObject = JSONObject()) {
        self.id = id
        self.method = method
        self.params = params
    }

    /// A request that is none, and the ID to answer under.
    package struct Flaw: Error, Hashable, Sendable {
        /// The request's ID where one could be read, else null.
        package let id: RequestID
        /// What to answer.
        package let error: RPCError
    }

    /// Reads a line, once parsed.
    package static func decode(_ value: JSONValue) throws(Flaw) -> Request {
        guard let object = value.object else {
            let reason = value.array == nil ? "a request is an object" : "send one object a line, no batch"
            throw Flaw(id: .null, error: .invalidRequest(reason))
        }
        var id: RequestID?
        if let member = object["id"] {
            guard let known = RequestID(member) else {
                throw Flaw(id: .null, error: .invalidRequest("id is not text, number or null"))
            }
            id = known
        }
        guard object["jsonrpc"]?.string == "2.0" else {
            throw Flaw(id: id ?? .null, error: .invalidRequest("jsonrpc is not \"2.0\""))
        }
        guard let method = object["method"]?.string, !method.isEmpty else {
            throw Flaw(id: id ?? .null, error: .invalidRequest("method is missing"))
        }
        guard let params = object["params"] else { return Request(id: id, method: method) }
        guard let named = params.object else {
            throw Flaw(id: id ?? .null, error: .invalidParams("params is not an object"))
        }
        return Request(id: id, method: method, params: named)
    }

    /// The request as a value.
    package var json: JSONValue {
        var object = JSONObject()
        object["jsonrpc"] = "2.0"
        object["id"] = id?.json
        object["method"] = .string(method)
        object["params"] = .object(params)
        return .object(object)
    }

    /// The request as one line, with its end.
    package var line: [UInt8] { JSONWriter.bytes(json) + [UInt8(ascii: "\n")] }
}
