import JSON

extension World {
    /// All machines that can reach each other settle, exchange, and come to rest together.
    ///
    /// Returns the names of those whose `sync` did not say that all is equal.
    @discardableResult
    func exchange(rounds: Int = 1, seen: (Machine, JSONValue) throws -> Void = { _, _ in }) throws -> [String]
    {
        var unequal: [String] = []
        for _ in 0..<rounds {
            unequal = []
            let reachable = reachable
            for machine in reachable { try machine.settle(0.2) { try seen(machine, $0) } }
            if reachable.count > 1 {
                try waitConnected()
                for machine in reachable {
                    let answer = try machine.cli("sync", "--timeout", "20", within: 30)
                    if answer.exit != 0 {
                        unequal.append("\(machine.name) (\(answer.err.shortened(to: 100)))")
                    }
                }
            }
            try rest(seen: seen)
        }
        return unequal
    }

    /// Waits until no machine shows anything new and no byte travels, for the length of a window.
    func rest(_ window: Double = Window.rest, seen: (Machine, JSONValue) throws -> Void = { _, _ in }) throws
    {
        let deadline = Deadline(Patience.settle)
        var last: [Machine.Mark] = []
        var lastWire: [String: Int] = [:]
        var rest = Deadline(window)
        while true {
            let marks = try reachable.map { machine in try machine.mark { try seen(machine, $0) }.mark }
            let wire = wire
            if marks != last || wire != lastWire {
                (last, lastWire) = (marks, wire)
                rest = Deadline(window)
            } else if rest.isOver {
                return
            }
            guard !deadline.isOver else {
                throw Failure("the machines have not come to rest within \(Int(Patience.settle)) s")
            }
            waitALittle()
        }
    }

    /// Watches a window in which no byte may travel and no file be written.
    func expectSilence(_ claim: String, for window: Double = Window.silence) throws {
        struct Moving: Equatable {
            var wire: [String: Int]
            var files: [[String: FileStamp]]
            var states: [[String: FileStamp]]
        }
        let change = firstChange(within: window) {
            Moving(
                wire: wire,
                files: machines.map { $0.files() },
                states: window > Window.silence ? machines.map { $0.stateStamps() } : []
            )
        }
        guard let change else { return }
        for (way, bytes) in change.after.wire {
            let sent = bytes - (change.before.wire[way] ?? 0)
            guard sent == 0 else { throw Failure("\(claim): \(sent) bytes \(way)") }
        }
        for (machine, (before, after)) in zip(machines, zip(change.before.files, change.after.files))
        where before != after {
            let names = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
            throw Failure("\(claim): \(machine.name) wrote \(names.prefix(4).joined(separator: ", "))")
        }
        throw Failure("\(claim): a state was written")
    }

    /// All machines show the same contacts: uids and cards.
    func expectEqual(_ claim: String, within seconds: Double = Patience.answer) throws {
        try eventually(claim, within: seconds) { try difference(between: machines.filter(\.isRunning)) }
    }

    /// The first difference between what machines show, or nil.
    func difference(between machines: [Machine], cards: Bool = true) throws -> String? {
        guard let first = machines.first else { return nil }
        let mine = try first.people()
        for other in machines.dropFirst() {
            let theirs = try other.people()
            let keys = [mine, theirs].map { $0.map(\.uid).map { ExactString($0) }.sorted() }
            guard keys[0] == keys[1] else {
                let odd = Set(keys[0]).symmetricDifference(keys[1]).sorted().prefix(4)
                return
                    "uids differ between \(first.name) and \(other.name) (\(mine.count) and \(theirs.count)): \(odd.map(\.text))"
            }
            for person in mine {
                guard let twin = theirs.first(where: { $0.uid.isExactly(person.uid) }) else { continue }
                guard person.uids.sorted() == twin.uids.sorted() else {
                    return "uids of \(person.brief) differ"
                }
                if cards, let inner = JSONValue.object(person.card).difference(to: .object(twin.card)) {
                    return "\(first.name) and \(other.name) show \(person.brief) differently: \(inner)"
                }
            }
        }
        return nil
    }
}
