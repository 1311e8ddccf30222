import AddressBook
import JSON

/// Reading ahead: what depends on the bytes of a file alone is found out on other threads, before its turn comes.
extension DirectoryController {
    /// Has the next files read and parsed on other threads, while those before them are taken in. A few are read at
    /// once instead.
    func readAhead() {
        while queue.count - aheadFrom < Self.perFetch, aheadFrom > 0, queue.count > Self.fewFiles {
            let from = max(0, aheadFrom - Self.perFetch)
            let names = queue[from..<aheadFrom].reversed()
            aheadFrom = from
            fetching.formUnion(names)
            let asked = names.map { (name: $0.text, known: files.stamp(of: $0)) }
            folder.readAhead(asked, add.detachedReading) { [weak self] found in
                guard let self else { return }
                for (name, stamp, reading) in found { ahead[ExactString(name)] = (stamp, reading) }
                fetching.subtract(names)
                wake()
            }
        }
    }

    /// Whether the next file is on its way from another thread.
    var isReadingAhead: Bool { queue.last.map { fetching.contains($0) } ?? false }
}
