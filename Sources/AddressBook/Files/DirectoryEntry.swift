/// One name of a book's directory with what stat(2) said of it.
package struct DirectoryEntry: Hashable, Sendable {
    /// The name as the directory has it. Compare names by their bytes (`ExactString`): `==` of strings takes a
    /// composed and a decomposed spelling for one name, the file system does not.
    package var name: String
    /// What it is.
    package var kind: EntryKind
    /// Its stamp; of a link, that of the link itself.
    package var stamp: FileStamp

    package init(name: String, kind: EntryKind, stamp: FileStamp) {
        self.name = name
        self.kind = kind
        self.stamp = stamp
    }
}
