import Foundation
import JSON

/// What one run of `contactsync` gave.
struct Answer: CustomStringConvertible {
    let arguments: [String]
    let exit: Int32
    let out: String
    let err: String

    /// What it printed, where that is JSON.
    var json: JSONValue? { try? parsed(out) }

    var description: String {
        "`contactsync \(arguments.joined(separator: " "))` exited \(exit): \((err.isEmpty ? out : err).shortened(to: 200))"
    }
}

extension Machine {
    /// Runs the command line on this machine.
    func cli(_ arguments: String..., within seconds: Double = Patience.answer) throws -> Answer {
        try cli(arguments, within: seconds)
    }

    /// Runs the command line on this machine.
    func cli(_ arguments: [String], within seconds: Double = Patience.answer) throws -> Answer {
        let outputs = ["out", "err"].map { "\(stage)/\(UUID().uuidString).\($0)" }
        defer { for output in outputs { try? FileManager.default.removeItem(atPath: output) } }
        let child = try Child(
            Executables.path("contactsync"),
            ["--config", configuration] + arguments,
            environment: environment(forDaemon: false),
            directory: home + "/elsewhere",
            output: outputs[0],
            errors: outputs[1]
        )
        guard let exit = child.wait(seconds) else {
            child.signal(SIGKILL)
            try checkAlive()
            throw Failure(
                "\(name): `contactsync \(arguments.joined(separator: " "))` did not end within \(Int(seconds)) s"
            )
        }
        let texts = outputs.map {
            (FileManager.default.contents(atPath: $0)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return Answer(arguments: arguments, exit: exit, out: texts[0], err: texts[1])
    }

    /// Runs a command that must succeed.
    @discardableResult
    func must(_ arguments: String...) throws -> Answer {
        let answer = try cli(arguments)
        guard answer.exit == 0 else { throw Failure("\(name): \(answer)") }
        return answer
    }

    /// Asks over the socket.
    func ask(_ method: String, _ parameters: JSONValue = [:], within seconds: Double = Patience.answer) throws
        -> JSONValue
    {
        do {
            return try connection().ask(method, parameters, within: seconds)
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            dropConnection()
            try checkAlive()
            throw Failure("\(name): \(error)")
        }
    }

    func status() throws -> JSONValue { try ask("status") }

    /// The book's part of a status.
    func bookStatus() throws -> JSONValue { try bookStatus(of: status()) }

    func bookStatus(of status: JSONValue) throws -> JSONValue {
        guard let book = status["books"]?.array?.first(where: { $0["name"]?.string == Machine.book }) else {
            throw Failure("\(name): the status does not name the book \(Machine.book)")
        }
        return book
    }

    /// Everyone in the book.
    func people() throws -> [Person] {
        guard let list = try ask("list", ["book": .string(Machine.book)]).array else {
            throw Failure("\(name): `list` is no array")
        }
        return try list.map(Person.init)
    }

    /// The person known by a uid, or nil.
    func person(_ uid: String) throws -> Person? { try people().first { $0.isKnown(by: uid) } }

    /// The names of all contacts in order, for claims about who is there.
    func names() throws -> [String] { try people().map { $0.name ?? "" }.sorted() }

    /// Everything that would show a change: the answers and the files.
    struct Mark: Equatable {
        var list: JSONValue
        var book: [JSONValue?]
        var files: [String: FileStamp]
    }

    /// Looks at everything; tells `seen` the status.
    func mark(seen: (JSONValue) throws -> Void = { _ in }) throws -> (mark: Mark, isBusy: Bool) {
        try checkAlive()
        let status = try status()
        try seen(status)
        let book = try bookStatus(of: status)
        let shown = ["state", "contacts", "files", "merged", "conflicts", "setAside", "clashes"].map {
            book[$0]
        }
        let list = try ask("list", ["book": .string(Machine.book)])
        return (Mark(list: list, book: shown, files: files()), book["state"]?.string == "scanning")
    }

    /// Waits until nothing has changed for the length of a window.
    func settle(_ window: Double = Window.rest, seen: (JSONValue) throws -> Void = { _ in }) throws {
        let deadline = Deadline(Patience.settle)
        var last: Mark?
        var rest = Deadline(window)
        while true {
            let now = try mark(seen: seen)
            if now.mark != last || now.isBusy {
                last = now.mark
                rest = Deadline(window)
            } else if rest.isOver {
                return
            }
            guard !deadline.isOver else {
                throw Failure("\(name) has not settled within \(Int(Patience.settle)) s")
            }
            waitALittle()
        }
    }
}
