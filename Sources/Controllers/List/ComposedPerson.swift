package import AddressBook
import Contacts
import JSON
package import Replication

/// The card of a person with what else follows from its records alone.
package struct ComposedPerson: Sendable {
    /// What a file of its own says: found out ahead where there are many.
    struct Drawing: Sendable {
        /// The text of the file, and its hash.
        let text: [UInt8]
        let textHash: ContentHash

        init(_ card: PersonCard, _ hash: HashFunction) {
            let object = CardWriter.card(card.card, uid: card.uid.text, like: nil)
            text = JSONWriter.bytes(.object(object), .indented) + [UInt8(ascii: "\n")]
            textHash = hash.hash(text)
        }
    }

    package let card: PersonCard
    package let records: [Record]
    /// The version that shows the card; its time is when it is shown.
    private let base: Base
    /// The hash of what the card says.
    let content: ContentHash
    private let ahead: Drawing?

    /// - Parameter isAhead: whether what its file says is found out now.
    init(_ records: [Record], _ hash: HashFunction, isAhead: Bool) {
        card = PersonCard(records)
        self.records = records
        base = Base(card, records: records, time: 0, hash: hash)
        content = base.content(hash)
        ahead = isAhead ? Drawing(card, hash) : nil
    }

    func drawing(_ hash: HashFunction) -> Drawing { ahead ?? Drawing(card, hash) }

    func base(at time: UInt64) -> Base {
        var base = base
        base.time = time
        return base
    }
}
