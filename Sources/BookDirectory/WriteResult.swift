package import AddressBook
/// What became of one write.
package enum WriteResult: Hashable, Sendable {
    /// The bytes lie under the name, durably, under this stamp; if somebody has saved over them since, the stamp does
    /// not fit what lies there. The bytes that they replaced are in the trash under `kept`. An `old` file waits
    /// for its writer.
    case done(stamp: FileStamp, kept: String?, old: OldFile?)
    /// Something else than expected lies there; it stays, read it. What was saved to the same name meanwhile and is
    /// neither that nor ours waits in `aside`, to be settled: `settle` tells it as an edit.
    case overtaken(aside: [OldFile])
    /// The new name is taken. Choose another.
    case exists
    /// The file to be replaced is not there.
    case missing
    /// The machine refused. What had been there is there, or, if it had come out already, waits in `aside`.
    case failed(DirectoryError, aside: [OldFile])
}
