/// How many rows of each kind a book has.
package struct Counts: Sendable, Hashable {
    /// Dead ones included.
    package var records: Int
    /// Files known.
    package var files: Int
    /// Versions that files showed.
    package var bases: Int
    /// Lines of the journal.
    package var history: Int
}
