import AddressBook
import Config
import Controllers
import EventLoop
import Supervision

/// What the service manager is told (systemd: `Type=notify`, `WatchdogSec=`).
extension Daemon {
    /// Milliseconds between two lines on how things are.
    private static let reportInterval: UInt64 = 1000

    /// The control socket, if the service manager opened it (`FileDescriptorName=contactsync`, or as it is named where
    /// the socket's unit says nothing).
    ///
    /// - Throws: if what was passed is not what we take.
    func passedSocket() throws(StartError) -> PassedSocket? {
        guard let passed = supervisor.sockets.first else { return nil }
        let names = ["contactsync", "contactsync.socket"]
        guard supervisor.sockets.count == 1, names.contains(passed.name), passed.isListeningUnixStream else {
            let passed = supervisor.sockets.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw StartError(
                message:
                    "the service manager passed the sockets \(passed), but there is one to pass: a listening Unix stream socket with FileDescriptorName=contactsync, as in contactsync.socket; use that one"
            )
        }
        return passed
    }

    /// Says that we serve, and from now on that the loop is not stuck.
    func beginReporting() {
        let line = statusLine
        reported = line
        supervisor.say(.ready, .status(line))
        guard let interval = supervisor.watchdog else { return }
        // Twice as often as asked for (sd_watchdog_enabled(3)).
        timers.append(loop.every(max(1, interval / 2000)) { [weak self] in self?.supervisor.say(.watchdog) })
    }

    /// Says how things are, soon and if it is something new.
    func report() {
        guard supervisor.isPresent, reportTimer == nil, !isStopping else { return }
        reportTimer = loop.after(Self.reportInterval) { [weak self] in
            guard let self else { return }
            reportTimer = nil
            let line = statusLine
            guard line != reported, !isStopping else { return }
            reported = line
            supervisor.say(.status(line))
        }
    }

    /// Books, contacts, peers, and what needs a person.
    private var statusLine: String {
        let connected = hub.peers.values.count { $0.link != nil }
        let contacts = books.reduce(0) { $0 + $1.list.index.count }
        let needs = needs
        return
            "\(count(books.count, "book")), \(count(contacts, "contact")), \(connected) of \(count(hub.peers.count, "peer")) connected; "
            + (needs.isEmpty
                ? "nothing needs you" : needs.joined(separator: ", ") + ": see `contactsync status`")
    }

    private var needs: [String] {
        var out: [String] = []
        if committer.failure != nil { out.append("the state cannot be stored") }
        for book in books {
            let directory = book.directory
            if directory.state == "held" || !book.list.held.isEmpty { out.append("\(book.name) is held") }
            if directory.writeFailure != nil { out.append("\(book.name) cannot be written") }
            let (broken, conflicts) = (Set(directory.setAside.map(\.file)).count, book.list.conflictCount)
            if broken > 0 { out.append("\(count(broken, "file")) of \(book.name) cannot be read") }
            if conflicts > 0 { out.append("\(count(conflicts, "conflict")) in \(book.name)") }
        }
        return out
    }

    private func count(_ number: Int, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }
}
