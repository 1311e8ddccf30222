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

            /// As people write it.
            package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
        }

        package var name: String
        /// The device ID: 64 lower-case hex digits.
        package var id: String
        /// Nil if the peer is only accepted, never dialled.
        package var address: Address?
        /// Names of books of this configuration, sorted, each once; may be empty.
        package var books: [String]
        /// Where the peer stands in the file, for messages about it; 0 if it comes from elsewhere.
        package var line: Int

        package init(name: String, id: String, address: Address? = nil, books: [String], line: Int = 0) {
            self.name = name
            self.id = id
            self.address = address
            self.books = books
            self.line = line
        }
    }
}
