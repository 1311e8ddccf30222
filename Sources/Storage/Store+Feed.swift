package import AddressBook
extension Store {
    /// The highest sequence number ever committed in a book; 0 before the first.
    package func head(_ book: BookID) throws(StorageError) -> UInt64 {
        try reader.search("SELECT head FROM books WHERE id = ?", [.integer(book)]) { $0.bits(0) } ?? 0
    }

    /// The replica ID of the start that committed a sequence number; 0 for number 0 and for one not yet given.
    package func mark(_ book: BookID, of seq: UInt64) throws(StorageError) -> UInt64 {
        guard seq > 0, seq <= UInt64(Int64.max) else { return 0 }
        let mark = try reader.search(
            """
            SELECT replica FROM starts WHERE book = ?1 AND first_seq <= ?2
            AND ?2 <= (SELECT head FROM books WHERE id = ?1) ORDER BY first_seq DESC LIMIT 1
            """,
            [.integer(book), .number(seq)]
        ) { $0.bits(0) }
        return mark ?? 0
    }

    /// Whether a place that a peer names is one of this feed: we gave that number, under that start.
    ///
    /// If not, one of the two went back (a restored disk), and nothing may be assumed of what the peer has.
    package func knows(_ book: BookID, _ checkpoint: Checkpoint) throws(StorageError) -> Bool {
        if checkpoint.seq == 0 { return checkpoint.mark == 0 }
        let mark = try mark(book, of: checkpoint.seq)
        return mark != 0 && mark == checkpoint.mark
    }

    /// How far the feed of each peer (by device ID) is taken in.
    package func checkpoints(_ book: BookID) throws(StorageError) -> [String: Checkpoint] {
        var found: [String: Checkpoint] = [:]
        try reader.query("SELECT peer, seq, mark FROM checkpoints WHERE book = ?", [.integer(book)]) {
            found[$0.text(0)] = Checkpoint(seq: $0.bits(1), mark: $0.bits(2))
        }
        return found
    }
}
