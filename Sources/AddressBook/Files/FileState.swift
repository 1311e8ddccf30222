package import JSON
package import Replication

/// Why a file, or one item of it, was set aside.
package struct Flaw: Hashable, Sendable {
    /// The place in an array, from 0; nil where the whole file is set aside.
    package var item: Int?
    package var line: Int?
    package var column: Int?
    package var reason: String

    package init(item: Int? = nil, line: Int? = nil, column: Int? = nil, reason: String) {
        self.item = item
        self.line = line
        self.column = column
        self.reason = reason
    }
}

/// One contact that a file holds, as the book knows it.
package struct HeldItem: Hashable, Sendable {
    /// How an item stands to the record whose uid it writes.
    package enum Role: String, Hashable, Sendable {
        /// It is the contact.
        case own
        /// It says the same as another file with its uid; it was left (DESIGN.md 5, one uid in two files).
        case copy
        /// Its uid belongs to another contact; it has a made one.
        case apart
    }

    /// The record it is; its bases are kept under this uid.
    package var uid: UID
    /// The records that it shows, the card's first.
    package var uids: [UID]
    /// The hash of what it says, each entry once.
    package var content: ContentHash
    package var isPlain: Bool
    /// The uid as the file writes it, nil if it writes none.
    package var written: String?
    package var role: Role

    package init(
        uid: UID,
        uids: [UID],
        content: ContentHash,
        isPlain: Bool,
        written: String?,
        role: Role = .own
    ) {
        self.uid = uid
        self.uids = uids
        self.content = content
        self.isPlain = isPlain
        self.written = written
        self.role = role
    }
}

/// What is known of one file of a book.
package struct FileState: Hashable, Sendable {
    /// What tells that it has not changed; zeros where that is not known.
    package var stamp: FileStamp
    /// The hash of the bytes that were last read as contacts, or written.
    package var bytes: ContentHash
    package var isArray: Bool
    package var items: [HeldItem]
    /// Items that could not be read.
    package var flaws: [Flaw]
    /// Why the file as it lies there could not be read; the items are what was last known.
    package var aside: Flaw?

    package init(
        stamp: FileStamp,
        bytes: ContentHash,
        isArray: Bool,
        items: [HeldItem],
        flaws: [Flaw] = [],
        aside: Flaw? = nil
    ) {
        self.stamp = stamp
        self.bytes = bytes
        self.isArray = isArray
        self.items = items
        self.flaws = flaws
        self.aside = aside
    }
}

/// A file between two states: what is known of it, and what the daemon was about to write.
package struct FileRecord: Hashable, Sendable {
    /// What was about to be written.
    package enum Intention: Hashable, Sendable {
        case write(FileState)
        case remove
    }

    package var known: FileState?
    package var intention: Intention?
    /// What the file held before and holds no longer, until that is believed.
    package var missing: [HeldItem]

    package init(known: FileState?, intention: Intention? = nil, missing: [HeldItem] = []) {
        self.known = known
        self.intention = intention
        self.missing = missing
    }
}
