/// What a store has of a directory's files, as its rows are read; on any thread.
package struct KnownFiles: Sendable {
    /// The files of which there is no more to tell than what they hold.
    package private(set) var table = FileTable()
    /// The rows of the others.
    package private(set) var others: [FileRow] = []

    package init() {}

    package var isEmpty: Bool { table.count == 0 && others.isEmpty }

    /// Takes a row of the store.
    package mutating func take(_ row: FileRow) { if !table.take(row) { others.append(row) } }
}
