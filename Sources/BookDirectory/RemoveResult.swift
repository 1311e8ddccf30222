/// What became of one removal.
package enum RemoveResult: Hashable, Sendable {
    /// The name is free, durably. The bytes are in the trash under `kept`; an `old` file waits for its writer.
    case done(kept: String?, old: OldFile?)
    /// Something else than expected lies there; it stays, read it. What waits in `aside` was saved to the same name
    /// before that; `settle` tells it as an edit.
    case overtaken(aside: [OldFile])
    /// There is no such file.
    case missing
    /// The machine refused. The file is there, or waits in `aside`.
    case failed(DirectoryError, aside: [OldFile])
}
