import JSON
import Contacts
package import Replication

extension PersonCard {
    /// Records in the order in which a card takes them: that of the card's uid first, then by uid.
    ///
    /// The card's uid is the smallest that is not a made one, else the smallest.
    package static func ordered(_ records: [Record]) -> [Record] {
        records.sorted { a, b in
            let (x, y) = (MadeUID.isMade(a.uid.text), MadeUID.isMade(b.uid.text))
            return x != y ? y : a.uid < b.uid
        }
    }
}
