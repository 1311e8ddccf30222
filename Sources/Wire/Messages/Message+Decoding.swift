package import JSON
import Replication

extension Message {
    /// Reads a frame.
    ///
    /// - Throws: `notJSON`, and what the payload is refused for.
    package static func decode(_ frame: Frame) throws(WireError) -> Message {
        let payload: JSONValue
        do throws(JSONFlaw) {
            payload = try JSONReader.value(
                frame.payload,
                maxDepth: WireLimits.depth,
                maxValues: WireLimits.values
            )
        } catch { throw .notJSON(frame.kind, reason: error.reason) }
        return try decode(frame.kind, payload)
    }

    /// Reads the payload of a frame, once parsed.
    ///
    /// Records in it are passed on as they are: `RecordCoding` reads them where they are needed.
    ///
    /// - Throws: `malformed` with the member that is wrong, `tooMany` for lists beyond their limit.
    package static func decode(_ kind: FrameKind, _ payload: JSONValue) throws(WireError) -> Message {
        let reader = try PayloadReader(kind, payload)
        switch kind {
        case .hello: return .hello(try hello(reader))
        case .follow:
            let after = try reader.member("after").isNull ? nil : try reader.position("after")
            return .follow(book: try reader.book(), after: after)
        case .batch: return .batch(try batch(reader))
        case .current: return .current(book: try reader.book(), at: try reader.number("at"))
        case .ack: return .ack(book: try reader.book(), seq: try reader.number("seq"))
        case .digest: return .digest(book: try reader.book(), total: try reader.hash("total"))
        case .equal: return .equal(book: try reader.book(), total: try reader.hash("total"))
        case .buckets: return .buckets(try sums(reader))
        case .list: return .list(try list(reader))
        case .heal:
            return .heal(
                Heal(
                    book: try reader.book(),
                    isAnswer: try reader.bool("answer"),
                    records: try reader.records("records", limit: WireLimits.recordsTaken),
                    isLast: try reader.bool("last")
                )
            )
        case .refused:
            return .refused(
                book: try reader.book(),
                uids: try reader.uids("uids", limit: WireLimits.refusedUIDs),
                isReadOnly: try reader.bool("readOnly")
            )
        case .bye:
            return .bye(
                reason: try reader.reason(),
                isRefusal: reader.has("refused") ? try reader.bool("refused") : false
            )
        case .pairing: throw .unexpected(kind, reason: "it belongs to a connection of its own")
        }
    }

    private static func hello(_ reader: PayloadReader) throws(WireError) -> Hello {
        var versions: [Int] = []
        for item in try reader.list("versions", limit: WireLimits.versions) {
            guard let version = item.integer, version >= 0 else {
                throw reader.wrong("versions", "a list of whole numbers")
            }
            versions.append(Int(version))
        }
        var books: [String] = []
        for item in try reader.list("books", limit: WireLimits.books) {
            guard let book = item.string, book.utf8.count <= WireLimits.nameBytes else {
                throw reader.wrong("books", "a list of names")
            }
            books.append(book)
        }
        guard let start = UInt64(wire: try reader.text("start", limit: 16)) else {
            throw reader.wrong("start", "16 hexadecimal digits")
        }
        return Hello(
            versions: versions,
            device: try reader.text("device", limit: WireLimits.nameBytes),
            start: ReplicaID(start),
            books: books,
            clock: try reader.has("clock") ? reader.number("clock") : nil
        )
    }

    private static func batch(_ reader: PayloadReader) throws(WireError) -> Batch {
        Batch(
            book: try reader.book(),
            from: try reader.number("from"),
            to: try reader.position("to"),
            records: try reader.records("records", limit: WireLimits.recordsTaken),
            remaining: try reader.count("remaining")
        )
    }

    private static func purpose(_ reader: PayloadReader) throws(WireError) -> ComparisonPurpose {
        guard let purpose = ComparisonPurpose(rawValue: try reader.text("purpose", limit: 16)) else {
            throw reader.wrong("purpose", "heal, verify or report")
        }
        return purpose
    }

    private static func sums(_ reader: PayloadReader) throws(WireError) -> BucketSums {
        let size = Digest.bucketCount * 32
        let digits = Array(try reader.text("sums", limit: size).utf8)
        guard digits.count == size, digits.allSatisfy(\.isLowerHex) else {
            throw reader.wrong("sums", "\(Digest.bucketCount) hashes")
        }
        var sums: [ContentHash] = []
        sums.reserveCapacity(Digest.bucketCount)
        for at in stride(from: 0, to: size, by: 32) {
            guard let sum = ContentHash(hex: String(decoding: digits[at..<at + 32], as: UTF8.self)) else {
                throw reader.wrong("sums", "\(Digest.bucketCount) hashes")
            }
            sums.append(sum)
        }
        return BucketSums(book: try reader.book(), purpose: try purpose(reader), sums: sums)
    }

    private static func list(_ reader: PayloadReader) throws(WireError) -> BucketList {
        var buckets: [Int] = []
        for item in try reader.list("buckets", limit: WireLimits.listBuckets) {
            guard let bucket = item.integer, (0..<Int64(Digest.bucketCount)).contains(bucket),
                bucket > buckets.last ?? -1
            else { throw reader.wrong("buckets", "a sorted list of buckets") }
            buckets.append(Int(bucket))
        }
        var entries: [DigestEntry] = []
        for item in try reader.list("entries", limit: WireLimits.listEntries) {
            guard let pair = item.array, pair.count == 2, let uid = pair[0].string,
                let hash = pair[1].string.flatMap(ContentHash.init(wire:))
            else { throw reader.wrong("entries", "a list of [uid, hash]") }
            entries.append(DigestEntry(uid: UID(uid), hash: hash))
        }
        return BucketList(
            book: try reader.book(),
            purpose: try purpose(reader),
            isAnswer: try reader.bool("answer"),
            buckets: buckets,
            entries: entries
        )
    }
}
