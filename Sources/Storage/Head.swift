import AddressBook
import JSON
import Replication

/// The columns of a record without its body, as one row gave them.
struct Head {
    /// In the order of `init`; what a query selects after them begins at `count`.
    static let columns = """
        uid_high, uid_low, seq, digest_high, digest_low, body_high, body_low, seal, uid, origin, profile
        """
    static let count: Int32 = 11

    let row: ProfileRow
    /// The checksum that the body had when it was written.
    let body: ContentHash

    init(_ row: Statement, book: BookID) {
        let body = ContentHash(high: row.bits(5), low: row.bits(6))
        var head = ProfileRow(
            uid: UID(row.text(8)),
            uidHash: ContentHash(high: row.bits(0), low: row.bits(1)),
            seq: row.bits(2),
            digest: ContentHash(high: row.bits(3), low: row.bits(4)),
            profile: row.bytes(10),
            origin: row.optionalText(9),
            isDamaged: false
        )
        let seal = Seal(
            book: book,
            uid: head.uid,
            uidHash: head.uidHash,
            seq: head.seq,
            digest: head.digest,
            body: body,
            profile: head.profile,
            origin: head.origin
        )
        head.isDamaged = seal.value != row.bits(7)
        self.row = head
        self.body = body
    }
}
