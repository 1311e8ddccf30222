import Dispatch
import Foundation
import JSON

/// A temporary directory with machines in it and the proxies between them.
final class World {
    let root: String
    private(set) var machines: [Machine] = []
    private(set) var links: [Link] = []

    /// The way from one machine to another.
    struct Link {
        let from: Machine
        let to: Machine
        let proxy: Proxy
    }

    /// Who dials whom.
    enum Shape {
        /// Everybody dials everybody.
        case mesh
        /// Each dials the next and accepts from the one before; they know no others.
        case ring
    }

    private init() throws {
        root = NSTemporaryDirectory() + "contactsync-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    /// At most so many worlds at once: each has daemons that want a core.
    static let places = DispatchSemaphore(value: 3)

    /// Makes a world, runs the body in it, and leaves nothing behind. What the daemons said last goes with the error.
    ///
    /// - Parameter places: where it waits for its turn.
    static func with(places: DispatchSemaphore = places, _ body: (World) throws -> Void) throws {
        places.wait()
        defer { places.signal() }
        let world = try World()
        defer { world.end() }
        do {
            try body(world)
            // A daemon that ends in order says with its status what a sanitizer found in it.
            for machine in world.machines where machine.isRunning { try machine.stop() }
        } catch {
            let logs = world.machines.map { "\($0.name) said last: \($0.logEnd)" }
            throw Failure(([String(describing: error)] + logs).joined(separator: "\n    "))
        }
    }

    /// The same with machines of these names, connected and started.
    static func with(
        _ names: [String],
        _ options: MachineOptions = MachineOptions(),
        shape: Shape = .mesh,
        _ body: (World, [Machine]) throws -> Void
    ) throws {
        try with { world in
            for name in names { try world.add(name, options) }
            try world.connect(shape)
            for machine in world.machines { try machine.start() }
            try world.waitConnected()
            try body(world, world.machines)
        }
    }

    /// A machine more; it is not started.
    @discardableResult
    func add(_ name: String, _ options: MachineOptions = MachineOptions()) throws -> Machine {
        let machine = try Machine(name: name, below: root, options: options)
        machines.append(machine)
        return machine
    }

    /// Lets the machines know each other, with one proxy for each way that is dialled.
    func connect(_ shape: Shape = .mesh) throws {
        for (index, from) in machines.enumerated() {
            for (other, to) in machines.enumerated() where other != index {
                let isNext = other == (index + 1) % machines.count
                let isLast = index == (other + 1) % machines.count
                guard shape == .mesh || isNext || isLast else { continue }
                var port: UInt16?
                if shape == .mesh || isNext {
                    let proxy = try Proxy(to: to.port)
                    links.append(Link(from: from, to: to, proxy: proxy))
                    port = proxy.port
                }
                from.peers.append(Machine.Peer(name: to.name, id: try to.device(), port: port))
            }
            try from.writeConfiguration()
        }
    }

    /// Puts a machine out of reach.
    func takeOffline(_ machine: Machine) {
        machine.isOnline = false
        for link in links where link.from === machine || link.to === machine { link.proxy.cut() }
    }

    /// Lets it be reached again by all that are not out of reach themselves.
    func bringOnline(_ machine: Machine) throws {
        machine.isOnline = true
        for link in links where link.from.isOnline && link.to.isOnline { try link.proxy.restore() }
    }

    /// Bytes through all proxies so far.
    var wire: [String: Int] {
        Dictionary(uniqueKeysWithValues: links.map { ("\($0.from.name)→\($0.to.name)", $0.proxy.bytes) })
    }

    var reachable: [Machine] { machines.filter { $0.isRunning && $0.isOnline } }

    /// Waits until all reachable machines that know each other are connected.
    func waitConnected() throws {
        let reachable = reachable
        let names = Set(reachable.map(\.name))
        func missing() throws -> String? {
            for machine in reachable {
                for peer in try machine.status()["peers"]?.array ?? []
                where names.contains(peer["name"]?.string ?? "") {
                    if peer["state"]?.string != "connected" {
                        return "\(machine.name): \(JSONWriter.text(peer).shortened(to: 200))"
                    }
                }
            }
            return nil
        }
        guard try missing() != nil else { return }
        // A command makes a waiting peer dial at once.
        for machine in reachable { _ = try machine.cli("sync", "--timeout", "3", within: 15) }
        try eventually("all machines connect", within: Patience.connect, missing)
    }

    private func end() {
        for link in links { link.proxy.cut() }
        for machine in machines { machine.kill9() }
        if ProcessInfo.processInfo.environment["CONTACTSYNC_KEEP"] == nil {
            try? FileManager.default.removeItem(atPath: root)
        }
    }
}
