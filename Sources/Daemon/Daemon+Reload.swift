import Config
import Controllers
import EventLoop
import Glibc
import Supervision

/// The configuration read again, while it runs: books and peers come and go, what else changed takes effect or is named
/// as waiting for the next start, and who is not concerned stays connected.
extension Daemon {
    /// Reads it again (SIGHUP). One that is wrong is refused as a whole, with its lines, and the old one stays.
    func reload() {
        // The one that is under way may have read the file before it changed.
        guard change == nil else { return isReloadDue = true }
        supervisor.say(.reloading(since: Surroundings.monotonicClock() / 1000))
        do throws(ConfigErrors) {
            begin(try Configuration.read(path: configuration.file, environment: environment))
        } catch {
            log.error("the configuration stays as it was; correct these lines and reload again")
            for problem in error.problems { log.error(problem.description) }
            supervisor.say(.ready)
        }
    }

    /// Takes leave of the books that are gone or are told something new; the rest follows when they are at rest.
    private func begin(_ new: Configuration) {
        let leaving = books.filter { !new.books.contains($0.configuration) }
        books.removeAll { book in leaving.contains { $0 === book } }
        for book in leaving {
            hub.part(from: book.name)
            book.close()
            works.forget(book: book.name)
        }
        change = ConfigurationChange(new: new, leaving: leaving)
        wake()
    }

    /// Goes on where a changed configuration waited: no two may read, write and store one book.
    func continueReload() {
        guard let change, !change.isSettled else { return }
        for book in change.leaving {
            book.directory.leave()
            book.list.settle()
        }
        guard change.leaving.allSatisfy({ $0.directory.isAtRest && $0.list.isIdle }) else { return }
        self.change?.isSettled = true
        whenCommitted { [weak self] in
            guard let self else { return }
            self.change = nil
            finish(change)
            supervisor.say(.ready)
            report()
            guard isReloadDue else { return }
            isReloadDue = false
            reload()
        }
    }

    private func finish(_ change: ConfigurationChange) {
        let new = change.new
        let old = configuration
        configuration.peers = new.peers
        if new.name != old.name { rename(new.name) }
        if new.listen != old.listen { listen(new.listen) }
        configuration.hooks = new.hooks
        hooks.configure(new.hooks)
        let coming = new.books.filter { book in !books.contains { $0.configuration == book } }
        for book in coming { open(book) }
        books.sort { $0.name < $1.name }
        configuration.books = books.map(\.configuration)
        configurePeers(renewing: Set(coming.map(\.name)))
        for name in Set(old.books.map(\.name)).subtracting(new.books.map(\.name)).sorted() {
            log.info("the book \(name) is no longer kept here; its files stay as they are", .book(name))
        }
        for key in waiting(new) {
            log.warning("\(key) is new in the configuration; start contactsyncd anew for it")
        }
        log.info("the configuration was read again")
    }

    /// The keys that were changed and had no effect.
    private func waiting(_ new: Configuration) -> [String] {
        var known = configuration
        var keys: [String] = []
        if new.state != known.state { keys.append("`state`") }
        if new.socket != known.socket { keys.append("`socket`") }
        if new.metricsListen != known.metricsListen { keys.append("`metrics-listen`") }
        if new.webListen != known.webListen { keys.append("`web-listen`") }
        (known.state, known.socket, known.listen) = (new.state, new.socket, new.listen)
        (known.metricsListen, known.webListen) = (new.metricsListen, new.webListen)
        known.books = new.books
        // Whatever else the configuration has, or will have.
        if known != new { keys.append("something") }
        return keys
    }

    private func rename(_ name: String) {
        configuration.name = name
        login.ownName = name
        hub.name = name
        pairing.name = name
        for book in books { book.list.title = "\(name)'s contact list" }
    }

    /// Listens elsewhere; where that cannot be, it goes on as before.
    private func listen(_ listen: Configuration.Listen) {
        do {
            try hub.listen(listen)
            configuration.listen = listen
        } catch {
            log.error("\(error); it listens as before: choose another `listen` address")
            do { try hub.listen(configuration.listen) } catch {
                log.error("\(error); nobody can connect; set another `listen` address")
            }
        }
    }

    private func open(_ configuration: Configuration.Book) {
        do {
            let book = try makeBook(loading(of: configuration))
            books.append(book)
            start(book)
            log.info("the book \(book.name) is kept in \(configuration.directory)", .book(book.name))
        } catch {
            log.error(
                "\(error.message); it is not kept until that is mended and SIGHUP sent again; see `contactsync doctor`",
                .book(configuration.name)
            )
        }
    }
}
