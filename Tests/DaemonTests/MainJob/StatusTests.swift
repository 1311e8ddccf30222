import Foundation
import JSON
import Testing

/// `status` as somebody sees it who has never seen it before.
@Suite("Status for people")
struct StatusTests {
    /// Runs the command line on a terminal of its own; gives what the terminal was sent.
    private func onTerminal(
        _ machine: Machine,
        _ arguments: String,
        _ more: [String: String] = [:],
        below prefix: String = "",
        until: (String) -> Bool = { _ in false }
    ) throws -> (exit: Int32?, text: String) {
        guard let script = Executables.tool("script") else { throw Failure("script(1) is not installed") }
        let output = "\(machine.stage)/\(UUID().uuidString)"
        var environment = try machine.environment(forDaemon: false)
        environment["TERM"] = "xterm"
        environment["NO_COLOR"] = nil
        environment.merge(more) { $1 }
        let program = try Executables.path("contactsync")
        let command = "\(prefix)\(program) --config \(machine.configuration) \(arguments)"
        let child = try Child(
            script,
            ["-qefc", command, "/dev/null"],
            environment: environment,
            directory: machine.home,
            output: output,
            errors: output
        )
        func text() -> String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }
        try eventually("it shows what is waited for") {
            child.exit != nil || until(text()) ? nil : String(text().suffix(300))
        }
        if child.exit == nil { child.signal(SIGTERM) }
        return (child.wait(Patience.answer), text())
    }

    @Test("A peer that is off, a broken file and a held book are found in it, with what to type")
    func troubles() throws {
        try World.with(["A", "B"]) { world, machines in
            let a = machines[0]
            for index in 1...3 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try machines[1].expectCount(3, "all arrive")
            try machines[1].stop()
            try a.put("{\"name\": \"Bo\",\n \"phone\": }", as: "broken file.json")
            for index in 1...3 { try a.remove("\(index).json") }
            try waitUntil("the book is held") { try a.bookStatus()["held"] != nil }
            let answer = try a.cli("status")
            #expect(answer.exit == 1)
            let start = "contactsync --config \(a.configuration)"
            for part in [
                "3 things need you", "HELD  personal since ", "the files of 3 contacts are gone",
                "$ \(start) resume personal --restore ", "$ \(start) resume personal --delete ",
                "OFFLINE  B is not connected", "$ systemctl --user start contactsync ",
                "BROKEN FILE  broken file.json:2:11 in personal: ",
                "$ ${EDITOR:-vi} +2 '\(a.directory)/broken file.json'",
            ] {
                #expect(answer.out.contains(part), "\(part) in \(answer.out)")
            }
            let places = ["HELD  ", "OFFLINE  ", "BROKEN FILE  ", "BOOK "].map {
                answer.out.range(of: $0)?.lowerBound
            }
            #expect(places.compactMap { $0 }.count == 4 && places.compactMap { $0 }.sorted() == places)
            #expect(!answer.out.contains("\u{1B}"), "a file gets no colours")
        }
    }

    @Test(
        "A machine that refuses our key is told from one that has another, and a clock that is off is named"
    )
    func refusals() throws {
        try World.with { world in
            let (a, b) = try (world.add("A"), world.add("B"))
            a.peers = [Machine.Peer(name: "B", id: try b.device(), port: b.port)]
            for machine in [a, b] {
                try machine.writeConfiguration()
                try machine.start()
            }
            try eventually("A sees that B refuses it") {
                let out = try a.cli("status").out
                return out.contains("REFUSED  B does not accept this machine")
                    && out.contains(" pair 127.0.0.1:\(b.port)") ? nil : out
            }
            try eventually("B tells of the stranger") {
                let out = try b.cli("status").out
                return try out.contains("NOTE  a machine that is no peer here")
                    && out.contains("its device ID is \(a.device())") ? nil : out
            }
            #expect(try b.cli("status").exit == 0, "a stranger needs nobody")
            a.peers = [Machine.Peer(name: "B", id: String(try b.device().reversed()), port: b.port)]
            try a.writeConfiguration()
            a.hangUp()
            try eventually("A sees that it is another machine") {
                let out = try a.cli("status").out
                return out.contains("REFUSED  B has another key than is known here") ? nil : out
            }
        }
    }

    @Test("A region that is none and a hook that fails are told, by the status and by `--check`")
    func words() throws {
        try World.with { world in
            var options = MachineOptions()
            options.region = "XX"
            options.lastLines = ["[hooks.broken]", "command = [\"/bin/false\"]"]
            let a = try world.add("A", options)
            try a.start()
            try a.put(SampleCard(1).text, as: "1.json")
            try eventually("both are told") {
                let answer = try a.cli("status")
                return answer.exit == 1 && answer.out.contains("REGION  the region of personal is no country")
                    && answer.out.contains("HOOK  broken failed last: it exited with 1 (1 of 1 runs failed)")
                    ? nil : answer.out
            }
            let check = try a.launch(["--check"], log: a.home + "/check")
            #expect(check.wait(Patience.answer) == 1)
            let found = try String(contentsOfFile: a.home + "/check", encoding: .utf8)
            #expect(found.contains("the region XX of the book personal"), "\(found)")
        }
    }

    @Test("A daemon that is stopped is said to answer nobody, by the status and by every other command")
    func stopped() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            a.halt()
            defer { a.goOn() }
            for arguments in [["status"], ["export", Machine.book]] {
                let answer = try a.cli(arguments, within: 30)
                #expect(answer.exit == 3, "\(answer)")
                #expect(answer.err.contains("runs but answers nobody"), "\(answer)")
                #expect(answer.err.contains("systemctl --user restart contactsync"), "\(answer)")
            }
        }
    }

    @Test("The clock of a peer that is far off is named")
    func clock() throws {
        guard Executables.clockShifter != nil else { return }
        try World.with { world in
            var options = MachineOptions()
            options.hasOwnClock = true
            let (a, b) = try (world.add("A"), world.add("B", options))
            try b.setClock("+3d")
            try world.connect()
            try a.start()
            try b.start()
            try world.waitConnected()
            let out = try a.cli("status").out
            #expect(
                out.contains("CLOCK  B has a clock that is 2 d 23 h ahead") || out.contains("is 3 d ahead"),
                "\(out)"
            )
        }
    }

    @Test(
        "On a terminal it has colours, unless they are not wanted there; `--watch` draws in place and ends on Ctrl-C"
    )
    func terminal() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            #expect(try onTerminal(a, "status").text.contains("\u{1B}[32midle"))
            for more in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
                #expect(try !onTerminal(a, "status", more).text.contains("\u{1B}"), "\(more)")
            }
            let watched = try onTerminal(a, "status --watch") { $0.contains("\u{1B}[7A") }
            #expect(watched.text.hasPrefix("\u{1B}[1mA\u{1B}[0m"), "the first drawing moves nothing")
            #expect(watched.text.contains("Ctrl-C ends this"))
            let interrupted = try onTerminal(
                a,
                "status --watch; echo ended $?",
                below: "timeout --foreground --preserve-status -s INT 2 "
            )
            // Between two drawings it says how all stood; in the middle of a question it just ends.
            let ends = ["ended 0", "ended 130"].contains { interrupted.text.contains($0) }
            #expect(ends, "\(interrupted.text.suffix(200))")
        }
    }

    @Test("Long work is in the status with how much there is, how much is done and how fast")
    func work() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            try a.stop()
            let cards = (1...600).map {
                "{\"name\": \"Person \($0)\", \"phone\": \"+44 20 7946 \(1000 + $0)\"}"
            }
            for (index, card) in cards.enumerated() { try a.put(card, as: "\(index).json") }
            try a.start()
            var seen: JSONValue?
            try eventually("the first scan is told of") {
                let status = try a.status()
                seen = status["work"]?.array?.first { $0["what"] == "read" && $0["rate"] != .null } ?? seen
                return seen != nil ? nil : JSONWriter.text(status["work"] ?? .null)
            }
            let (done, total) = (seen?["done"]?.integer ?? -1, seen?["total"]?.integer ?? -1)
            #expect(total == 600 && done > 0 && done < 600, "\(done) of \(total)")
            try a.expectCount(600, "all are read")
            try a.settle()
            #expect(try a.status()["work"] == [])
        }
    }
}
