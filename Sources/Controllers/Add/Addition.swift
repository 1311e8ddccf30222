package import AddressBook
package import JSON
package import Replication

/// The model value that an add controller hands to its delegate.
package struct Addition: Sendable {
    /// What is added, by kind.
    package enum Content: Sendable {
        /// A card as one source gave it; `isFirstScan` where a new database cannot know how old it is.
        case card(UID, SavedCard, isFirstScan: Bool)
        /// A save of a card that was shown before.
        case edit(CardEdit)
        /// A person's file is gone: the `@alive` dots that its settled version had.
        case absence([UID: [Dot]])
        /// Peer records, checked and taken as they are.
        case records([Record])
        /// What a person said.
        case command(Command)
    }

    package let content: Content
    package let session: SessionID
}

/// What a person says about persons, values and numbers.
package enum Command: Sendable {
    /// Deletes what these records show.
    case remove([UID])
    /// Brings deleted records back.
    case restore([UID])
    case merge([UID], [UID])
    case distinguish([UID], [UID])
    /// Whether a number is no one's own.
    case share(key: String, SharedMark)
    /// Writes a value over all that these sources keep.
    case resolve([Source], JSONValue, phoneKey: String?)
}

/// What the list did with an addition.
package struct Receipt: Sendable {
    /// The records that were written to.
    package var uids: [UID] = []
    /// The version that the origin now shows, for cards and edits.
    package var base: Base?
    /// Whether what is held of the peer's records is another set than before.
    package var heldChanged = false
    /// What ends the peer's connection: it asked for more than we give. Nothing was added then.
    package var fault: String?
}
