package import AddressBook
import Contacts
import JSON
package import Replication

/// The card of a person with what else follows from its records alone.
package struct ComposedPerson: Sendable {
    /// What its files say: found out ahead where there are many.
    struct Drawing: Sendable {
        /// The version that shows the card; its time is when it is shown.
        var base: Base
        /// The text of a file of its own, and its hash.
        let text: [UInt8]
        let textHash: ContentHash

        init(_ card: PersonCard, _ records: [Record], _ hash: HashFunction) {
            base = Base(card, records: records, time: 0, hash: hash)
            let object = CardWriter.card(card.card, uid: card.uid.text, like: nil)
            text = JSONWriter.bytes(.object(object), .indented) + [UInt8(ascii: "\n")]
            textHash = hash.hash(text)
        }
    }

    package let card: PersonCard
    package let records: [Record]
    /// The hash of what the card says.
    let content: ContentHash
    private let ahead: Drawing?

    /// - Parameter isAhead: whether what its files say is found out now.
    init(_ records: [Record], _ hash: HashFunction, isAhead: Bool) {
        card = PersonCard(records)
        self.records = records
        content = CardFields.contentHash(card.card, hash)
        ahead = isAhead ? Drawing(card, records, hash) : nil
    }

    func drawing(_ hash: HashFunction) -> Drawing { ahead ?? Drawing(card, records, hash) }

    func base(_ hash: HashFunction, time: UInt64) -> Base {
        var base = ahead?.base ?? Base(card, records: records, time: time, hash: hash)
        base.time = time
        return base
    }
}
