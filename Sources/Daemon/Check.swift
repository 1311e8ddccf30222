import AddressBook
import BookDirectory
package import Config
import JSON

/// `contactsyncd --check`: looks at every directory, file and peer entry, and changes nothing.
package enum Check {
    /// What is wrong, a line each, with places.
    package static func problems(_ configuration: Configuration) -> [String] {
        var out: [String] = []
        for book in configuration.books {
            let folder = BookFolder(path: book.directory)
            do {
                guard try folder.identity() != nil else {
                    out.append(
                        "\(book.directory): there is no such directory (book \(book.name)); it is made at the first start"
                    )
                    continue
                }
                let listing = try folder.list()
                for name in listing.unreadableNames {
                    out.append("\(book.directory)/\(name): the name is not UTF-8; rename it")
                }
                for entry in listing.entries { out += problems(entry, folder) }
            } catch { out.append("\(error)") }
        }
        for peer in configuration.peers {
            if peer.books.isEmpty {
                out.append(
                    "\(configuration.file):\(peer.line): the peer \(peer.name) shares no book; name one under `books`"
                )
            }
            if peer.address == nil, configuration.listen == .off {
                out.append(
                    "\(configuration.file):\(peer.line): the peer \(peer.name) has no address and `listen` is off; give one of both"
                )
            }
        }
        return out
    }

    private static func problems(_ entry: DirectoryEntry, _ folder: BookFolder) -> [String] {
        let path = folder.path + "/" + entry.name
        do {
            let bytes = try folder.read(entry.name).bytes
            return try ParsedFile(bytes).flaws.map { flaw in
                "\(path):\(flaw.line ?? 1):\(flaw.column ?? 1): \(flaw.item.map { "item \($0): " } ?? "")\(flaw.reason)"
            }
        } catch let error as JSONFlaw {
            return ["\(path):\(error.line):\(error.column): \(error.reason)"]
        } catch { return ["\(path): \(error)"] }
    }
}
