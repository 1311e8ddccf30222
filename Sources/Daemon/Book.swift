import AddressBook
import Config
import Controllers

/// One book of this daemon: its list, its directory, and the folder behind it.
final class Book {
    let configuration: Configuration.Book
    let list: ListController
    let directory: DirectoryController
    let folder: WatchedFolder

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
}
