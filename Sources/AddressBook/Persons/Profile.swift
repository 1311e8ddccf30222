package import Contacts
import JSON
package import Replication

/// What it takes to find out to which person an alive record belongs: no more of it is kept in memory.
package struct Profile: Hashable, Sendable {
    /// The record.
    package var uid: UID
    /// Whether the uid was made from the card's content; such a one is the card's uid only if no other is there.
    package var isMade: Bool
    /// The shown full name.
    package var name: PersonName
    /// The kind of the card, `individual` where it says none.
    package var kind: String
    /// Phone key → whether the record marks the number as no one's own (main number, fax, pager).
    package var phones: [String: Bool]
    /// The records with which people joined it; a pair is noted on its greater uid.
    package var same: [UID]
    /// The records from which people told it apart; a pair is noted on its greater uid.
    package var apart: [UID]

    /// A profile; what is not given is what most have.
    package init(
        uid: UID,
        isMade: Bool = false,
        name: PersonName,
        kind: String = Profile.individual,
        phones: [String: Bool] = [:],
        same: [UID] = [],
        apart: [UID] = []
    ) {
        self.uid = uid
        self.isMade = isMade
        self.name = name
        self.kind = kind
        self.phones = phones
        self.same = same
        self.apart = apart
    }

    /// About the bytes of memory that a text, a number or a pair takes in a catalog besides its own bytes.
    static let entrySize = 32

    /// About the bytes of memory that it takes in a catalog, if it shares no text with another.
    package var size: Int {
        let texts = [uid.text, name.folded, kind] + phones.keys + (same + apart).map(\.text)
        return texts.reduce(0) { $0 + $1.utf8.count + Self.entrySize }
    }

    /// The kind of a card that names none (RFC 9553, 2.1.4).
    package static let individual = "individual"
    /// The kind of a card that is a list of others; it is no candidate.
    package static let group = "group"
}
