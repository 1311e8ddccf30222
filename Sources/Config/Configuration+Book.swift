extension Configuration {
    /// One address book and its rules.
    package struct Book: Sendable, Equatable {
        /// How far records with one number are taken for one person; see the design's chapter 4.
        package enum Deduplicate: String, Sendable, CaseIterable {
            /// Joined unless the evidence speaks against it.
            case phone
            /// Incompatible names are enough to keep apart.
            case careful
            /// Never joined, only listed.
            case suggest
        }

        package var name: String
        /// Absolute and normalised; nobody looked whether it exists.
        package var directory: String
        /// Two capital letters; nil if national numbers are to have no key.
        package var region: String?
        package var deduplicate: Deduplicate
        /// Per cent of the book, 0 to 100, that may vanish within an hour without a question.
        package var deletionLimit: Int
        /// Days for which deleted values, removed files and the history are kept.
        package var keepDeleted: Int
        /// Bytes.
        package var trashLimit: Int
        /// Seconds between full scans.
        package var rescanInterval: Int

        /// A book with the default rules.
        package init(name: String, directory: String, region: String? = nil) {
            self.name = name
            self.directory = directory
            self.region = region
            deduplicate = .phone
            deletionLimit = 30
            keepDeleted = 30
            trashLimit = 256 << 20
            rescanInterval = 3600
        }
    }
}
