/// Why an origin may not add.
package enum LoginError: Error, Hashable, Sendable {
    /// The device is not among the configured peers.
    case unknownDevice(String)
    /// The peer and we do not share this book.
    case notShared(book: String, peer: String)
}

/// Authenticates an origin, mints its session ID, and hands over to the list of each book it may add to.
package final class LoginController {
    /// A peer as the configuration names it.
    package struct Peer: Hashable, Sendable {
        package var name: String
        package var device: String
        package var books: Set<String>
        /// Whether what it sends is refused.
        package var isReadOnly: Bool

        package init(name: String, device: String, books: Set<String>, isReadOnly: Bool = false) {
            self.name = name
            self.device = device
            self.books = books
            self.isReadOnly = isReadOnly
        }
    }

    private let ownDevice: String
    /// What this machine is called, for people.
    package var ownName: String
    private let random: () -> UInt64
    /// The peers that may log in, by device.
    package var peers: [String: Peer] = [:]

    /// What a login in progress sets at its destination.
    private struct Login {
        var origin: Origin
        var session: SessionID
        var title: String
        var isReadOnly = false
    }

    /// - Parameter random: gives 64 random bits.
    package init(ownDevice: String, ownName: String, random: @escaping () -> UInt64) {
        self.ownDevice = ownDevice
        self.ownName = ownName
        self.random = random
    }

    /// Logs an origin in to a set of books: one session, one segue a book.
    ///
    /// - Throws: `LoginError` for a device that is not configured, or a book that is not shared with it. Nothing has
    ///   been handed over then.
    /// - Returns: the session; each list now has an add controller for exactly it.
    package func login(_ origin: Origin, to lists: [ListController]) throws(LoginError) -> SessionID {
        let session: SessionID
        let title: String
        var isReadOnly = false
        switch origin {
        case .directory, .command:
            session = SessionID(device: ownDevice, random: random())
            title = "\(ownName)'s contact list"
        case .peer(let device, _):
            guard let peer = peers[device] else { throw .unknownDevice(device) }
            for list in lists where !peer.books.contains(list.settings.name) {
                throw .notShared(book: list.settings.name, peer: peer.name)
            }
            session = SessionID(device: device, random: random())
            title = "\(peer.name)'s contact list"
            isReadOnly = peer.isReadOnly
        }
        let login = Login(origin: origin, session: session, title: title, isReadOnly: isReadOnly)
        for list in lists {
            let segue = Segue(.login2contacts, to: list)
            prepare(for: segue, sender: login)
            list.performContacts2Add(for: session)
        }
        return session
    }

    /// Tells the list who comes, and what it may.
    package func prepare(for segue: Segue<ListController>, sender: Any?) {
        guard let login = sender as? Login else { preconditionFailure("a login segue is sent by a login") }
        segue.destination.arrive(
            login.session,
            origin: login.origin,
            title: login.title,
            isReadOnly: login.isReadOnly
        )
    }
}
