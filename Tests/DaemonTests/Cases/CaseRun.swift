import Foundation
import JSON

/// One run of a case in one of its ways, against real daemons.
final class CaseRun {
    let given: Case
    let variant: Case.Variant
    let world: World
    /// Every reason for which a status ever set a file aside, by file.
    var setAside: [String: [(item: Int?, reason: String)]] = [:]
    /// Every set of files that a status ever listed as a clash.
    var clashes: [Set<String>] = []
    /// Machines whose book was ever held.
    var held: Set<String> = []
    /// The bytes that the case itself put under a name, by machine.
    var own: [String: [String: [UInt8]]] = [:]
    /// The uids noted under a label, by name.
    var notedIDs: [String: [String: String]] = [:]
    /// Whether a step could be taken for a deletion, which takes a second look.
    var mayLookLikeDeletion = false
    /// What `sync` said when it did not exit 0; part of a later failure's sentence.
    var note = ""
    /// What went over the wire when an onlooker had seen all for the first time.
    var wireAtFirstRest: [String: Int]?

    init(_ given: Case, _ variant: Case.Variant, in world: World) throws {
        self.given = given
        self.variant = variant
        self.world = world
        let obeysModes = given.steps.contains { $0.verb == .chmod }
        for name in given.machines.names {
            let hasOwnClock = given.steps.contains { $0.verb == .clock && $0.machine == name }
            try world.add(
                name,
                MachineOptions(
                    region: given.expected.region(of: name),
                    policy: variant.policy,
                    hasOwnClock: hasOwnClock,
                    obeysModes: obeysModes
                )
            )
        }
        if world.machines.count > 1 { try world.connect() }
    }

    var machines: [Machine] { world.machines }

    func machine(_ name: String) throws -> Machine {
        guard let machine = machines.first(where: { $0.name == name }) else {
            throw Failure("there is no machine \(name)")
        }
        return machine
    }

    /// Runs it all; throws at the first thing that is wrong.
    func run() throws {
        for machine in machines { try machine.start() }
        if machines.count > 1 { try world.waitConnected() }
        let outside = namesOutside()
        let watch =
            given.expected.noDeletionSent
            ? DeletionWatch(machines.dropFirst().map { ($0.name, $0.directory) }) : nil
        defer { _ = watch?.stop() }
        if given.steps.isEmpty { try runPlainly() } else { try runSteps() }
        try judgeEnd(deletions: watch?.stop() ?? [], outsideBefore: outside)
    }

    /// No steps: every file is put, the book settles; a restart afterwards changes nothing.
    private func runPlainly() throws {
        let a = try machine("A")
        for file in given.inputs.keys.sorted() {
            if given.expected.isVCard {
                try importFile(file, on: a)
            } else {
                try put(file, as: lastPart(file), on: a)
            }
        }
        try settle(a)
        try check(a, "end")
        try settle(a)
        let before = a.files()
        try a.restart()
        try settle(a)
        do { try check(a, "end") } catch { throw Failure("after a restart: \(error)") }
        let after = a.files()
        guard after != before else { return }
        let names = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
        throw Failure("a second pass wrote \(names.prefix(4).joined(separator: ", "))")
    }

    private func runSteps() throws {
        let lastSync = given.steps.lastIndex { $0.verb == .sync }
        for (index, step) in given.steps.enumerated() {
            do {
                try perform(step, isLastSync: index == lastSync)
            } catch {
                throw Failure("at `\(step.line)`: \(error)")
            }
            if step.verb.mayLookLikeDeletion { mayLookLikeDeletion = true }
            if given.machines.hasOnlooker, step.verb == .settle, wireAtFirstRest == nil {
                let (a, b) = try (machine("A"), machine("B"))
                try waitUntil("the onlooker has the contacts") { try a.people().count == b.people().count }
                try world.exchange(seen: look)
                wireAtFirstRest = world.wire
            }
        }
    }

    /// Remembers what a status says: it counts at whatever time it was said.
    func look(_ machine: Machine, _ status: JSONValue) throws {
        let book = try machine.bookStatus(of: status)
        for entry in book["setAside"]?.array ?? [] {
            setAside[entry["file"]?.string ?? "", default: []]
                .append((entry["item"]?.integer.map(Int.init), entry["reason"]?.string ?? ""))
        }
        for clash in book["clashes"]?.array ?? [] { clashes.append(Set(clash["files"]?.texts ?? [])) }
        if book["state"]?.string == "held" { held.insert(machine.name) }
    }

    /// The bytes of an input, or of the one that stands in for it.
    func input(_ name: String) throws -> [UInt8] {
        guard let bytes = given.inputs[variant.standIns[name] ?? name] else {
            throw Failure("no file in/\(name)")
        }
        return bytes
    }

    func put(_ input: String, as name: String, on machine: Machine) throws {
        let bytes = try self.input(input)
        try machine.put(bytes, as: name)
        own[machine.name, default: [:]][name] = bytes
    }

    /// Gives a file to `import`, which must leave it as it is.
    private func importFile(_ input: String, on machine: Machine) throws {
        let path = machine.stage + "/" + lastPart(input)
        let bytes = try self.input(input)
        try Data(bytes).write(to: URL(filePath: path))
        try machine.must("import", Machine.book, path)
        guard try Data(contentsOf: URL(filePath: path)) == Data(bytes) else {
            throw Failure("import changed \(input)")
        }
    }

    func lastPart(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    func settle(_ machine: Machine) throws {
        if machine.isRunning {
            try machine.settle(mayLookLikeDeletion ? Window.absence : Window.rest) { try look(machine, $0) }
        }
        if given.machines.hasOnlooker { try world.exchange(seen: look) }
        mayLookLikeDeletion = false
    }

    /// Everything in the world that is neither a book, nor a state, nor the socket's directory.
    func namesOutside() -> Set<String> {
        let inside = machines.flatMap {
            [$0.directory, $0.state, $0.runtime, $0.stage, $0.log, $0.configuration]
        }
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: world.root)) ?? []
        var names = Set(
            all.map { world.root + "/" + $0 }.filter { path in !inside.contains { path.hasPrefix($0) } }
        )
        // Where a uid taken for a path would lead from there.
        for name in ["rooted", "escape", "escape.json"] {
            for base in [
                "/", world.root + "/", URL(filePath: world.root).deletingLastPathComponent().path + "/",
            ]
            where FileManager.default.fileExists(atPath: base + name) { names.insert(base + name) }
        }
        return names
    }
}
