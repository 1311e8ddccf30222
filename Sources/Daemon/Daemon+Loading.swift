import AddressBook
import Config
import Controllers
import EventLoop
import Storage
import TLS

/// What of a book is found out on other threads while its list is loaded: a restart of 10,000 contacts takes a third less.
final class BookLoading {
    let configuration: Configuration.Book
    let id: BookID
    let folder: WatchedFolder
    /// What the store knows of the files, nil where it is to be read by who needs it.
    var known: KnownFiles?
    /// Whether nothing is read any more on another thread.
    var isRead = true

    init(_ configuration: Configuration.Book, id: BookID, folder: WatchedFolder) {
        self.configuration = configuration
        self.id = id
        self.folder = folder
    }
}

extension Daemon {
    /// What is needed to load a book.
    func loading(of book: Configuration.Book) throws(StartError) -> BookLoading {
        do {
            let id = try store.book(named: book.name)
            let folder = WatchedFolder(
                path: book.directory,
                trash: configuration.state + "/trash/" + String(id),
                hash: Self.hash,
                loop: loop,
                log: log.about(.book(book.name))
            )
            return BookLoading(book, id: id, folder: folder)
        } catch { throw Self.failure(book, error) }
    }

    /// Begins to load a book at a start, before the loop runs.
    func beginLoading(_ book: Configuration.Book) throws(StartError) -> BookLoading {
        let loading = try loading(of: book)
        loading.folder.lookAhead()
        loading.isRead = false
        let (id, eachFile) = (loading.id, storage.detachedEachFile)
        loop.work {
            var known = KnownFiles()
            do throws(StorageError) { try eachFile(id) { known.take($0) } } catch { return KnownFiles?.none }
            return known
        } then: {
            loading.known = $0
            loading.isRead = true
        }
        return loading
    }

    /// Loads a book.
    func makeBook(_ loading: BookLoading) throws(StartError) -> Book {
        let (book, folder) = (loading.configuration, loading.folder)
        do {
            let log = log.about(.book(book.name))
            let settings = BookSettings(
                name: book.name,
                id: loading.id,
                region: book.region,
                policy: Policy(rawValue: book.deduplicate.rawValue) ?? .phone,
                deletionLimit: book.deletionLimit,
                keepDeleted: book.keepDeleted
            )
            let list = try ListController(
                settings,
                title: "\(configuration.name)'s contact list",
                store: store,
                committer: committer,
                replica: replica,
                factory: AdditionFactory(region: book.region, phones: phones, hash: Self.hash),
                hash: Self.hash
            )
            list.onComplaint = { text, uid in log.warning(text, uid.map { .uid($0) }) }
            list.knownDevices = { [unowned self] in [identity.deviceID] + hub.peers.keys }
            let session = try login.login(.directory, to: [list])
            if !loading.isRead { loop.run(until: { loading.isRead }) }
            let directory = try DirectoryController(
                list: list,
                session: session,
                folder: folder,
                scheduler: scheduler,
                committer: committer,
                hash: Self.hash,
                known: loading.known
            )
            loading.known = nil
            directory.wake = { [weak self] in self?.wake() }
            list.wake = directory.wake
            list.worker = loop
            folder.onReport = { [weak self, weak directory] names, attributes, everything in
                directory?.look(at: names, attributes: attributes, everything: everything)
                self?.wake()
            }
            folder.onLateSave = { [weak self, weak directory] name, bytes, done in
                directory?.takeLate(name, bytes)
                self?.whenCommitted(done)
            }
            return Book(configuration: book, list: list, directory: directory, folder: folder)
        } catch { throw Self.failure(book, error) }
    }

    private static func failure(_ book: Configuration.Book, _ error: any Error) -> StartError {
        StartError(message: "book \(book.name): \(error); see `contactsync doctor`")
    }
}
