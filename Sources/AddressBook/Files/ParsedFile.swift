package import Contacts
package import JSON
package import Replication

/// A file read as contacts.
package struct ParsedFile: Sendable {
    /// One contact of it.
    package struct Item: Sendable {
        /// Its place among the items, from 0.
        package var place: Int
        package var contact: ContactItem
        /// The object as it is written, for the order of its members.
        package var written: JSONObject
        /// The uid that it writes; nil if it writes none, or an empty one.
        package var uid: UID? { contact.uid.map { UID($0) } }
    }

    package var isArray: Bool
    package var items: [Item] = []
    package var flaws: [Flaw] = []
    /// Where each element of the array lies in the bytes, in order, flawed ones included.
    package var ranges: [Range<Int>] = []

    /// Reads the bytes of a file.
    ///
    /// - Throws: what costs the whole file. What costs an item only is among the flaws.
    package init(_ bytes: [UInt8]) throws(JSONFlaw) {
        let document = try JSONDocument.read(bytes)
        isArray = document.isArray
        for (place, item) in document.items.enumerated() {
            ranges.append(item.range)
            let number = document.isArray ? place : nil
            switch item.value {
            case .failure(let flaw):
                flaws.append(
                    Flaw(item: number, line: flaw.line, column: flaw.column, reason: flaw.reason)
                )
            case .success(let value):
                do {
                    let contact = try ContactItem.read(value)
                    items.append(Item(place: place, contact: contact, written: value.object ?? JSONObject()))
                } catch {
                    let at = JSONDocument.place(of: error.path, item: place, in: bytes)
                    flaws.append(Flaw(item: number, line: at.line, column: at.column, reason: error.reason))
                }
            }
        }
    }
}

extension SavedCard {
    /// The hash of what the card says with each entry once: the card that it would show if it were alone.
    package func content(_ hash: HashFunction) -> ContentHash {
        // Nearly all cards say everything once, and show what they say.
        if !saysAnythingTwice { return CardFields.contentHash(fields.map { ($0.key, $0.hash) }, hash) }
        var record = Record(uid: UID("-"))
        for (n, field) in fields.enumerated() {
            let dot = Dot(replica: ReplicaID(0), counter: UInt64(n + 1))
            record.put(
                field.key,
                Version(time: .zero, session: "", value: field.value, key: field.phoneKey),
                dot: dot,
                over: []
            )
        }
        return Base(PersonCard([record]), records: [], time: 0, hash: hash).content(hash)
    }
}
