import AddressBook
import Config
import Controllers
import EventLoop
import PhoneNumbers

extension EventLoop: Worker {}

/// One book of this daemon: its list, its directory, and the folder behind it.
final class Book {
    let configuration: Configuration.Book
    let list: ListController
    let directory: DirectoryController
    let folder: WatchedFolder
    /// Looks at everything from time to time.
    var rescan: LoopTimer?

    /// Whether the configuration names a country that has no number plan.
    var isRegionUnknown: Bool { configuration.region.map { !PhoneNumbers.isRegion($0) } ?? false }

    init(
        configuration: Configuration.Book,
        list: ListController,
        directory: DirectoryController,
        folder: WatchedFolder
    ) {
        self.configuration = configuration
        self.list = list
        self.directory = directory
        self.folder = folder
    }

    var name: String { configuration.name }

    /// Whether files, persons and store agree and nothing is under way.
    var isIdle: Bool { directory.isIdle && list.isIdle }

    /// Looks at nothing any more; what is under way goes on to its end.
    func close() {
        rescan?.cancel()
        folder.close()
    }
}
