/// How it stands with an old file; see `Writer.settle`.
package enum Settled: Hashable, Sendable {
    /// It is removed, or was by somebody else. Its bytes are in the trash under `kept`, if they were not before.
    case gone(kept: String?)
    /// A writer holds it, or may hold it. Ask again when the watch reports it, or after a while.
    case stillOpen
    /// Somebody saved into it and has let go of it: an edit of the file whose name it had. It stays until
    /// `OldFile.accept` and another `settle`.
    case changed(bytes: [UInt8])
    /// The machine refused; it stays. Ask again later.
    case failed(DirectoryError)
}
