package import AddressBook
package import JSON
package import Replication

extension Store {
    /// One record, whole; nil if there is none. Where it is damaged the row says so.
    package func record(_ book: BookID, _ uid: UID, uidHash: ContentHash) throws(StorageError) -> RecordRow? {
        // Uids are compared by bytes here, as blobs are.
        try reader.search(
            """
            SELECT \(Head.columns), body FROM records LEFT JOIN bodies USING (id)
            WHERE book = ? AND uid_high = ? AND uid = ?
            """,
            [.integer(book), .bits(uidHash.high), .blob(Array(uid.text.utf8))]
        ) { row in
            self.record(
                book,
                Head(row, book: book),
                body: row.isNull(Head.count) ? nil : row.bytes(Head.count)
            )
        }
    }

    /// The records that changed after a place in the feed, in the order of their changes.
    ///
    /// - Parameters:
    ///   - seq: the place, not included.
    ///   - limit: how many rows at most.
    ///   - maxBytes: at how many bytes of bodies to stop; one row with a body is always given.
    ///   - device: rows whose origin this is come with an empty body and only their head looked at: that device is
    ///     not sent them, but the checkpoint moves over them.
    package func records(
        _ book: BookID,
        after seq: UInt64,
        limit: Int,
        maxBytes: Int,
        withoutBodiesFrom device: String? = nil
    ) throws(StorageError) -> [RecordRow] {
        var rows: [RecordRow] = []
        var bytes = 0
        var isFirst = true
        _ = try reader.search(
            """
            SELECT \(Head.columns), id FROM records INDEXED BY records_by_seq
            WHERE book = ? AND seq > ? ORDER BY seq LIMIT ?
            """,
            [.integer(book), .number(seq), .integer(Int64(limit))]
        ) { (statement) throws(StorageError) -> Void? in
            let head = Head(statement, book: book)
            if let device, head.row.origin == device {
                rows.append(self.record(book, head))
                return nil
            }
            // Inside the outer query, so both read the same commit.
            let body = try reader.search(
                "SELECT body FROM bodies WHERE id = ?",
                [.integer(statement.integer(Head.count))]
            ) { $0.bytes(0) }
            bytes += body?.count ?? 0
            guard isFirst || bytes <= maxBytes else { return () }
            isFirst = false
            rows.append(self.record(book, head, body: body))
            return bytes < maxBytes ? nil : ()
        }
        return rows
    }

    /// Hands over the small part of every record of a book, for a start. The closure may ask the store other things.
    package func eachProfile(_ book: BookID, _ body: (ProfileRow) -> Void) throws(StorageError) {
        // In the order of the table: by the index every row would be a jump.
        try reader.query("SELECT \(Head.columns) FROM records NOT INDEXED WHERE book = ?", [.integer(book)]) {
            body(Head($0, book: book).row)
        }
    }

    /// Looks whether stored records are what was written, a piece at a time.
    ///
    /// - Parameters:
    ///   - place: where to begin; 0, then `next` of the piece before.
    ///   - limit: how many records to look at.
    package func scrub(_ book: BookID, from place: Int64, limit: Int) throws(StorageError) -> ScrubPiece {
        precondition(limit > 0, "a scrub moves on")
        // What was read before and is remembered says nothing about the disk.
        reader.forgetPages()
        var piece = ScrubPiece()
        var count = 0
        try reader.query(
            """
            SELECT \(Head.columns), body, id FROM records NOT INDEXED LEFT JOIN bodies USING (id)
            WHERE book = ? AND id >= ? ORDER BY id LIMIT ?
            """,
            [.integer(book), .integer(place), .integer(Int64(limit))]
        ) { statement in
            let body = statement.isNull(Head.count) ? nil : statement.bytes(Head.count)
            let row = self.record(book, Head(statement, book: book), body: body)
            if row.isDamaged { piece.damaged.append((row.uid, row.uidHash)) }
            count += 1
            piece.next = count < limit ? nil : statement.integer(Head.count + 1) + 1
        }
        // What records are found by is looked at too: a page of it may be wrong that nobody needs just now.
        guard piece.next == nil else { return piece }
        for index in ["records_by_uid", "records_by_seq"] {
            try reader.query(
                "SELECT count(*) FROM records INDEXED BY \(index) WHERE book = ?",
                [.integer(book)]
            ) { _ in }
        }
        return piece
    }

    private func record(_ book: BookID, _ head: Head) -> RecordRow {
        var row = RecordRow(
            book: book,
            uid: head.row.uid,
            uidHash: head.row.uidHash,
            seq: head.row.seq,
            digest: head.row.digest,
            profile: head.row.profile,
            body: [],
            origin: head.row.origin
        )
        row.isDamaged = head.row.isDamaged
        return row
    }

    private func record(_ book: BookID, _ head: Head, body: [UInt8]?) -> RecordRow {
        var row = record(book, head)
        row.body = body ?? []
        row.isDamaged = row.isDamaged || body == nil || Seal.of(row.body) != head.body
        return row
    }
}
