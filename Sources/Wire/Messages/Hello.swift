package import Replication

/// Who we are; the first message of each side.
package struct Hello: Hashable, Sendable {
    /// The protocol versions spoken.
    package let versions: [Int]
    /// The machine's name, for people.
    package let device: String
    /// The start of the daemon: tells a restarted peer from a second connection.
    package let start: ReplicaID
    /// The books listed for this peer.
    package let books: [String]
    /// What its clock says, milliseconds since 1970; nil from a daemon that does not tell. Only for people to see.
    package let clock: UInt64?

    package init(
        versions: [Int] = [Hello.version],
        device: String,
        start: ReplicaID,
        books: [String],
        clock: UInt64? = nil
    ) {
        self.versions = versions
        self.device = device
        self.start = start
        self.books = books
        self.clock = clock
    }

    /// The version that this code speaks.
    package static let version = 1
}
