extension Configuration {
    /// Another machine that may connect, and what it shares with this one.
    package struct Peer: Sendable, Equatable {
        /// Where to dial.
        package struct Address: Sendable, Hashable {
            /// A name or an address without brackets.
            package var host: String
            package var port: UInt16

            package init(host: String, port: UInt16) {
                self.host = host
                self.port = port
            }

            /// Reads a host, with a port or without one.
            package init(_ text: String) throws(HostPort.Flaw) {
                let place = try HostPort(text, defaultPort: Configuration.defaultPort)
                if place.host.isEmpty { throw HostPort.Flaw(reason: "there is no host") }
                if place.port == 0 { throw HostPort.Flaw(reason: "nobody can be reached at port 0") }
                self.init(host: place.host, port: place.port)
            }

            /// As people write it.
            package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
        }

        /// Whether a text can be the name of a peer.
        package static func isName(_ text: String) -> Bool { ConfigurationReader.nameFlaw(text) == nil }

        /// What a peer may do.
        package enum Access: String, Sendable, CaseIterable {
            /// What it sends is taken as if it was written here.
            case write
            /// It gets everything, and what it sends is refused.
            case read
        }

        package var name: String
        /// The device ID: 64 lower-case hex digits.
        package var id: String
        /// Nil if the peer is only accepted, never dialled.
        package var address: Address?
        /// Names of books of this configuration, sorted, each once; may be empty.
        package var books: [String]
        /// What it may do with these books.
        package var access: Access
        /// Where the peer stands in the file, for messages about it; 0 if it comes from elsewhere.
        package var line: Int

        package init(
            name: String,
            id: String,
            address: Address? = nil,
            books: [String],
            access: Access = .write,
            line: Int = 0
        ) {
            self.name = name
            self.id = id
            self.address = address
            self.books = books
            self.access = access
            self.line = line
        }
    }
}
