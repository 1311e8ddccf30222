import JSON

/// One person's `pair` over the socket: a question whose answer comes when the other side has come along.
final class Talk {
    private let client: LineClient
    private let name: String

    init(_ machine: Machine, _ parameters: JSONValue = [:]) throws {
        client = try LineClient(path: machine.socket)
        name = machine.name
        ask(parameters)
    }

    /// Waits until a daemon that was asked to wait does so.
    static func waiting(_ machine: Machine, _ parameters: JSONValue = [:]) throws -> Talk {
        let talk = try Talk(machine, parameters)
        try waitUntil("\(machine.name) waits") {
            try machine.status()["pairing"]?.object?["waiting"]?.bool == true
        }
        return talk
    }

    /// Says whether the digits are the same; answered when the other side has said it too.
    func confirm(_ isEqual: Bool, _ digits: String) {
        ask(["confirm": .bool(isEqual), "digits": .string(digits)])
    }

    /// The next result.
    func result() throws -> JSONValue {
        let answer = try answer()
        guard let result = answer["result"] else { throw Failure("\(name): \(JSONWriter.text(answer))") }
        return result
    }

    /// The next refusal's sentence.
    func refusal() throws -> String {
        let answer = try answer()
        guard let message = answer["error"]?.object?["message"]?.string else {
            throw Failure("\(name) was not refused: \(JSONWriter.text(answer))")
        }
        return message
    }

    /// The digits that both sides show now.
    func digits() throws -> String {
        guard let digits = try result()["digits"]?.string else { throw Failure("\(name): no digits") }
        return digits
    }

    private func ask(_ parameters: JSONValue) {
        client.send(
            JSONWriter.text(["jsonrpc": "2.0", "id": 1, "method": "pair", "params": parameters])
        )
    }

    private func answer() throws -> JSONValue {
        guard let line = client.line(within: Patience.answer) else {
            throw Failure("\(name): `pair` had no answer")
        }
        return try parsed(line)
    }
}
