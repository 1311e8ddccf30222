import AddressBook
import BookDirectory
import Config
import Glibc
import JSON

extension Doctor {
    /// The directories of the books and every file in them.
    mutating func lookAtBooks() {
        if configuration.books.isEmpty {
            find(
                .warning,
                "\(configuration.file): there is no book; add a table such as [books.personal] with directory = \"~/Contacts\"",
                mend: Finding.edit(configuration.file)
            )
        }
        for book in configuration.books {
            let folder = BookFolder(path: book.directory)
            do throws(DirectoryError) {
                guard try folder.identity() != nil else {
                    lookAtMissing(book)
                    continue
                }
                lookAtRights(
                    book.directory,
                    of: "the directory of the book \(book.name)",
                    needed: R_OK | W_OK | X_OK
                )
                lookAtDisk(book.directory, holds: "the book \(book.name)")
                let listing = try folder.list()
                for name in listing.unreadableNames {
                    find(
                        .warning,
                        "\(book.directory)/\(name): the name is not UTF-8, so the file is not read; give it another name",
                        mend: "ls -b \(ShellWord.quoted(book.directory))"
                    )
                }
                for entry in listing.entries { lookAtFile(entry, folder) }
                lookAtQueue(book, files: listing.entries.count)
            } catch {
                find(
                    .error,
                    "the book \(book.name) cannot be looked at: \(error.description)",
                    mend: "ls -ld \(ShellWord.quoted(book.directory))"
                )
            }
        }
    }

    /// A directory is made at a book's first start only; afterwards, that it is missing holds the book.
    private mutating func lookAtMissing(_ book: Configuration.Book) {
        if unsafe access(book.directory, F_OK) == 0 {
            return find(
                .error,
                "\(configuration.file): \(book.directory) (book \(book.name)) is no directory; name another one",
                mend: Finding.edit(configuration.file)
            )
        }
        guard hasState else {
            let parent = Self.existing(above: book.directory)
            if unsafe access(parent, W_OK | X_OK) != 0 {
                find(
                    .error,
                    "\(book.directory) (book \(book.name)) is to be made at the first start, but \(parent) cannot be written",
                    mend: "sudo install -d -o \(userID) -m 700 \(ShellWord.quoted(book.directory))"
                )
            }
            return
        }
        find(
            .error,
            "\(book.directory): there is no such directory (book \(book.name)); is its disk mounted? If it is gone for good, `contactsync resume` decides about its contacts",
            mend: "contactsync resume \(ShellWord.quoted(book.name)) --restore"
        )
    }

    private mutating func lookAtFile(_ entry: DirectoryEntry, _ folder: BookFolder) {
        let path = folder.path + "/" + entry.name
        func broken(_ line: Int, _ column: Int, _ reason: String) -> Finding {
            Finding(.warning, "\(path):\(line):\(column): \(reason)", mend: Finding.edit(path, line: line))
        }
        do {
            let bytes = try folder.read(entry.name).bytes
            findings += try ParsedFile(bytes).flaws.map { flaw in
                broken(
                    flaw.line ?? 1,
                    flaw.column ?? 1,
                    (flaw.item.map { "item \($0 + 1): " } ?? "") + flaw.reason
                )
            }
        } catch let flaw as JSONFlaw {
            findings.append(broken(flaw.line, flaw.column, flaw.reason))
        } catch { find(.warning, "\(path): \(error)", mend: "ls -l \(ShellWord.quoted(path))") }
    }

    /// The directory itself, or the nearest one above it that exists.
    static func existing(above path: String) -> String {
        var path = path
        while path != "/", unsafe access(path, F_OK) != 0 {
            let slash = path.lastIndex(of: "/") ?? path.startIndex
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
        return path
    }
}
