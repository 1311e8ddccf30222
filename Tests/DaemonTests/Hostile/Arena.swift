import Foundation
import JSON
import Replication
import Synchronization
import TLS
import Wire

/// Two honest machines, one of which also lists peers that are not honest.
final class Arena {
    /// Kilobytes of memory that the attacked daemon may take, whatever is sent to it: some frames of 16 MiB as text and as
    /// values, a book of a few thousand contacts, and the sanitizer's share where there is one.
    static let memoryLimit = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil ? 600_000 : 2_400_000

    /// Bytes of the log that all behaviours together may fill, and of what the status says.
    static let logLimit = 500_000

    let victim: Machine
    let friend: Machine
    private let keys: String
    private(set) var quiet: [Double] = []
    private(set) var attacked: [Double] = []
    private var honest: [String: [UInt8]] = [:]
    private var next = 0
    /// The largest that the daemon was, in kilobytes.
    private(set) var memory = 0

    init(_ world: World, behaviours: [Behaviour]) throws {
        victim = try world.add("victim")
        friend = try world.add("friend")
        keys = world.root + "/keys"
        try world.connect()
        for (n, _) in behaviours.enumerated() {
            let device = try Identity.load(directory: key(n)).deviceID
            victim.peers.append(Machine.Peer(name: "hostile-\(n)", id: device, port: nil))
        }
        _ = try Identity.load(directory: keys + "/strange")
        try victim.writeConfiguration()
        for index in 1...20 { try friend.put(SampleCard(index).text, as: "\(index).json") }
        var target = SampleCard(21, name: "Target")
        target.note = "may be harmed"
        try friend.put(target.text, as: "Target.json")
        try FileManager.default.createSymbolicLink(
            atPath: victim.path("Linked.json"),
            withDestinationPath: outside
        )
        try Data("not a contact".utf8).write(to: URL(filePath: outside))
        for machine in [victim, friend] { try machine.start() }
        try victim.expectCount(21, "the book has arrived")
        // What is compared after each attack, with the names that the victim gave.
        for name in victim.fileNames where name.hasPrefix("Person") { honest[name] = victim.bytes(of: name) }
        for _ in 0..<10 { quiet.append(try exchange()) }
    }

    /// A file that a link in the victim's book points to.
    private var outside: String { victim.home + "/outside.txt" }

    private func key(_ n: Int) -> String { "\(keys)/\(n)" }

    /// Runs a behaviour, exchanges contacts meanwhile and afterwards, and looks at what must hold.
    func run(_ behaviour: Behaviour, _ n: Int) throws {
        let outcome = Outcome()
        let attack = Attack(
            port: victim.port,
            key: key(n),
            strangeKey: keys + "/strange",
            target: UID(SampleCard(21).uid)
        )
        let done = DispatchSemaphore(value: 0)
        let thread = Thread { [reason = behaviour.reason, body = behaviour.body] in
            outcome.take { try body(attack).flatMap { reason == nil ? nil : $0.end(within: 30) } }
            done.signal()
        }
        thread.start()
        attacked.append(try exchange())
        guard done.wait(timeout: .now() + 60) == .success else { throw Failure("it does not end") }
        attacked.append(try exchange())
        let ending = try outcome.get()
        if let reason = behaviour.reason {
            guard let ending, reason.isEmpty || ending.contains(reason) else {
                throw Failure("it ended with: \(ending ?? "nothing")")
            }
            // Both sides log the same.
            if !reason.isEmpty {
                try waitUntil("the log says why") { try logSays(behaviour.logged ?? ending, "hostile-\(n)") }
            }
        }
        try check()
    }

    /// The median of the delays, milliseconds, quiet and attacked.
    var medians: (Int, Int) {
        func median(_ all: [Double]) -> Int { Int(all.sorted()[all.count / 2] * 1000) }
        return (median(quiet), median(attacked))
    }

    /// Lets a new contact travel from one honest machine to the other; seconds that it took.
    private func exchange() throws -> Double {
        next += 1
        let (from, to) = next.isMultiple(of: 2) ? (victim, friend) : (friend, victim)
        let name = "Honest \(next)"
        let card = SampleCard(100 + next, name: name, phone: "+44 20 7946 \(1000 + next)")
        let began = ContinuousClock.now
        try from.put(card.text, as: "h\(next).json")
        let deadline = Deadline(Patience.answer)
        while !to.exists(name + ".json") {
            guard !deadline.isOver else {
                throw Failure("\(name) did not get from \(from.name) to \(to.name)")
            }
            waitALittle(0.001)
        }
        return Double((ContinuousClock.now - began) / .milliseconds(1)) / 1000
    }

    private func check() throws {
        try victim.checkAlive()
        try friend.checkAlive()
        for (name, bytes) in honest where victim.bytes(of: name) != bytes {
            throw Failure("\(name) is another than before")
        }
        guard FileManager.default.contents(atPath: outside) == Data("not a contact".utf8),
            !victim.isPlainFile("Linked.json")
        else { throw Failure("the link, or what it points to, was touched") }
        let strays = try FileManager.default.contentsOfDirectory(atPath: victim.home)
            .filter {
                ![
                    "contacts", "run", "stage", "home", "elsewhere", "state", "config.toml", "log",
                    "outside.txt",
                ].contains($0)
            }
        guard strays.isEmpty, !FileManager.default.fileExists(atPath: "/tmp/escaped") else {
            throw Failure("something was written where nothing belongs: \(strays)")
        }
        let log = try String(contentsOfFile: victim.log, encoding: .utf8)
        guard log.utf8.count <= Self.logLimit, try victim.cli("status").out.utf8.count <= Self.logLimit else {
            throw Failure("the log has \(log.utf8.count) bytes")
        }
        memory = max(memory, try peak(of: victim))
        guard memory <= Self.memoryLimit else { throw Failure("the daemon took \(memory) kB") }
    }

    /// The largest that a daemon has been, kilobytes.
    private func peak(of machine: Machine) throws -> Int {
        let path = "/proc/\(machine.daemon?.process.processIdentifier ?? 0)/status"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let words = line?.split(separator: " "), words.count > 1, let size = Int(words[words.count - 2])
        else {
            throw Failure("\(path) does not say how large the daemon is")
        }
        return size
    }

    private func logSays(_ reason: String, _ peer: String) throws -> Bool {
        let log = try String(contentsOfFile: victim.log, encoding: .utf8)
        return log.split(separator: "\n").contains {
            $0.contains(peer + ":") && $0.contains(reason.prefix(60))
        }
    }

    /// What came of a body that ran elsewhere.
    private final class Outcome: Sendable {
        private let result = Mutex<Result<String?, Failure>>(.success(nil))

        func take(_ body: () throws -> String?) {
            let taken: Result<String?, Failure>
            do { taken = .success(try body()) } catch { taken = .failure(Failure("\(error)")) }
            result.withLock { $0 = taken }
        }

        func get() throws -> String? { try result.withLock { try $0.get() } }
    }
}
