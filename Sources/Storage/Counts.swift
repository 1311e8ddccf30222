/// How many rows of each kind a book has.
package struct Counts: Sendable, Hashable {
    /// Dead ones included.
    package var records: Int
    package var files: Int
    package var bases: Int
    package var history: Int
}
