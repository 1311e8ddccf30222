package import JSON
package import Replication

/// Why buckets are compared.
package enum ComparisonPurpose: String, Hashable, Sendable {
    /// To send each other what differs.
    case heal
    /// To answer a person who asks what differs.
    case verify
    /// To name what healing could not make equal.
    case report
}

/// A record's uid and state, as two machines compare them.
package struct DigestEntry: Hashable, Sendable {
    /// The record's uid.
    package let uid: UID
    /// Its `digestHash`.
    package let hash: ContentHash

    package init(uid: UID, hash: ContentHash) {
        self.uid = uid
        self.hash = hash
    }
}

/// All sums of a book's digest.
package struct BucketSums: Hashable, Sendable {
    /// The book's name.
    package let book: String
    /// What for.
    package let purpose: ComparisonPurpose
    /// `Digest.bucketCount` sums.
    package let sums: [ContentHash]

    package init(book: String, purpose: ComparisonPurpose, sums: [ContentHash]) {
        precondition(sums.count == Digest.bucketCount, "a digest has all its buckets")
        self.book = book
        self.purpose = purpose
        self.sums = sums
    }
}

/// What is in some buckets.
package struct BucketList: Hashable, Sendable {
    /// The book's name.
    package let book: String
    /// What for.
    package let purpose: ComparisonPurpose
    /// Whether the sender of the sums says it, in answer to the other's list.
    package let isAnswer: Bool
    /// The buckets, in order, each once.
    package let buckets: [Int]
    /// All entries of these buckets.
    package let entries: [DigestEntry]

    package init(
        book: String,
        purpose: ComparisonPurpose,
        isAnswer: Bool,
        buckets: [Int],
        entries: [DigestEntry]
    ) {
        self.book = book
        self.purpose = purpose
        self.isAnswer = isAnswer
        self.buckets = buckets
        self.entries = entries
    }
}

/// Records that the other side lacks, or holds in another state.
package struct Heal: Hashable, Sendable {
    /// The book's name.
    package let book: String
    /// Whether the sender of the sums says it.
    package let isAnswer: Bool
    /// The records that differ.
    package let records: [RecordForm]
    /// Whether no more of this exchange come from this side.
    package let isLast: Bool

    package init(book: String, isAnswer: Bool, records: [RecordForm], isLast: Bool) {
        self.book = book
        self.isAnswer = isAnswer
        self.records = records
        self.isLast = isLast
    }
}
