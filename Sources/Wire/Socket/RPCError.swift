/// Why a request has no result.
package struct RPCError: Error, Hashable, Sendable {
    /// JSON-RPC's code.
    package let code: Int
    /// A sentence for people, with what to do next.
    package let message: String
    /// What `contactsync` exits with: 1 no or not found, 2 usage, 4 refused.
    package let exit: Int

    package init(code: Int, message: String, exit: Int) {
        self.code = code
        self.message = message
        self.exit = exit
    }

    /// The line is no JSON.
    package static func parse(_ reason: String) -> RPCError { .init(code: -32700, message: reason, exit: 2) }
    /// The JSON is no request.
    package static func invalidRequest(_ reason: String) -> RPCError {
        .init(code: -32600, message: reason, exit: 2)
    }
    /// No method of this name.
    package static func unknownMethod(_ name: String) -> RPCError {
        .init(code: -32601, message: "there is no method \(name)", exit: 2)
    }
    /// A parameter is missing or wrong.
    package static func invalidParams(_ reason: String) -> RPCError {
        .init(code: -32602, message: reason, exit: 2)
    }
    /// No, or not found.
    package static func no(_ reason: String) -> RPCError { .init(code: -32000, message: reason, exit: 1) }
    /// The daemon refuses: ambiguous, held, or against a rule.
    package static func refused(_ reason: String) -> RPCError {
        .init(code: -32000, message: reason, exit: 4)
    }
}
