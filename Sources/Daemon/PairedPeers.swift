import Config
import Controllers
import JSON
import Wire

/// The peers that people paired, and those that they unpaired: kept in the state, beside the key that they trust.
struct PairedPeers {
    /// A device that was unpaired: it is refused until it is paired again.
    struct Unpaired {
        var device: String
        var name: String
        /// Milliseconds since 1970.
        var time: UInt64
    }

    /// A file that is none of ours.
    struct Flaw: Error {}

    /// The file in the state directory: whom a machine trusts must outlive its database, as its key does.
    static let file = "peers.json"

    /// In the order of their pairing.
    private(set) var paired: [Configuration.Peer] = []
    private(set) var unpaired: [Unpaired] = []

    init() {}

    /// Takes a peer in, in the place of what was known of its device.
    mutating func pair(_ peer: Configuration.Peer) {
        forget(peer.id)
        paired.append(peer)
    }

    /// Takes back that a device was unpaired.
    mutating func forget(_ device: String) {
        paired.removeAll { $0.id == device }
        unpaired.removeAll { $0.device == device }
    }

    /// Refuses a device from now on.
    mutating func unpair(_ device: String, name: String, time: UInt64) {
        forget(device)
        unpaired.append(Unpaired(device: device, name: name, time: time))
    }

    func isUnpaired(_ device: String) -> Bool { unpaired.contains { $0.device == device } }

    /// All peers: those of the configuration, which counts where a device is both, and the paired ones; without those
    /// that were unpaired.
    ///
    /// - Parameter books: the books that there are.
    func all(beside configured: [Configuration.Peer], books: [String]) -> [Configuration.Peer] {
        var all = configured.filter { !isUnpaired($0.id) }
        for var peer in paired where !configured.contains(where: { $0.id == peer.id }) {
            peer.books = peer.books.filter(books.contains)
            peer.name = Self.freeName(peer.name, in: all)
            all.append(peer)
        }
        return all
    }

    /// The name, or with a number behind it where another peer has it.
    static func freeName(_ name: String, in peers: [Configuration.Peer]) -> String {
        var (free, number) = (name, 2)
        while peers.contains(where: { $0.name == free }) {
            free = "\(name) \(number)"
            number += 1
        }
        return free
    }
}

extension PairedPeers {
    /// Reads what `bytes` wrote.
    ///
    /// - Throws: `Flaw` for anything else; nobody is forgotten in silence.
    init(_ bytes: [UInt8]) throws(Flaw) {
        guard let value = try? JSONReader.value(bytes), let paired = value.object?["paired"]?.array,
            let unpaired = value.object?["unpaired"]?.array
        else { throw Flaw() }
        for entry in paired { self.paired.append(try Self.peer(entry)) }
        for entry in unpaired {
            guard let entry = entry.object, let device = entry["device"]?.string,
                let name = entry["name"]?.string, let time = entry["time"]?.unsigned
            else { throw Flaw() }
            self.unpaired.append(Unpaired(device: device, name: name, time: time))
        }
    }

    var bytes: [UInt8] {
        JSONWriter.bytes([
            "paired": .array(paired.map(Self.json)),
            "unpaired": .array(
                unpaired.map {
                    ["device": .string($0.device), "name": .string($0.name), "time": .number($0.time)]
                }
            ),
        ])
    }

    private static func json(_ peer: Configuration.Peer) -> JSONValue {
        let address: JSONValue =
            peer.address.map { ["host": .string($0.host), "port": .number(UInt64($0.port))] } ?? .null
        return [
            "device": .string(peer.id), "name": .string(peer.name), "address": address,
            "books": .array(peer.books.map { .string($0) }), "access": .string(peer.access.rawValue),
        ]
    }

    private static func peer(_ value: JSONValue) throws(Flaw) -> Configuration.Peer {
        guard let object = value.object, let device = object["device"]?.string,
            let name = object["name"]?.string, let books = object["books"]?.array,
            let access = object["access"]?.string.flatMap(Configuration.Peer.Access.init)
        else { throw Flaw() }
        let place = object["address"]?.object
        var address: Configuration.Peer.Address?
        if let host = place?["host"]?.string,
            let port = place?["port"]?.unsigned.flatMap({ UInt16(exactly: $0) })
        {
            address = Configuration.Peer.Address(host: host, port: port)
        }
        return Configuration.Peer(
            name: name,
            id: device,
            address: address,
            books: books.compactMap(\.string),
            access: access
        )
    }
}
