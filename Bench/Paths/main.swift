// Runs one core path a number of times, for the guard that counts its instructions and allocations (Bench/guard.py).
// usage: contactsync-paths PATH TIMES DIRECTORY

import AddressBook
import Compression
import Contacts
import JSON
import PhoneNumbers
import Replication
import Storage
import TLS
import Wire

let hash = HashFunction { sha256($0) }

/// A card with most of what people write into one.
let text = Array(
    """
    {"@type": "Card", "version": "1.0", "uid": "urn:uuid:7d1c9a52-0c6e-4b7a-9f00-000000000001", "kind": "individual",
     "created": "2024-01-01T00:00:00Z", "updated": "2025-03-02T01:01:00Z", "name": {"full": "Zoë Lefèvre", "isOrdered":
     true, "components": [{"kind": "given", "value": "Zoë"}, {"kind": "surname", "value": "Lefèvre"}]}, "phones": {"p1":
     {"number": "+49 30 23125001", "features": {"mobile": true}, "contexts": {"private": true}, "pref": 1}, "p2": {"number":
     "tel:+44-161-496-0000", "features": {"voice": true}, "contexts": {"work": true}, "pref": 2}}, "emails": {"e1":
     {"address": "zoe@example.org", "contexts": {"private": true}, "pref": 1}}, "organizations": {"o1": {"name": "Société
     Générale d'Études", "units": [{"name": "Sales"}]}}, "titles": {"t1": {"kind": "title", "name": "Consultant",
     "organizationId": "o1"}}, "addresses": {"a1": {"components": [{"kind": "number", "value": "12"}, {"kind": "name",
     "value": "Bahnhofstraße"}, {"kind": "locality", "value": "München"}, {"kind": "postcode", "value": "80331"}],
     "countryCode": "DE", "contexts": {"private": true}, "full": "12 Bahnhofstraße, 80331 München"}}, "anniversaries":
     {"b1": {"kind": "birth", "date": {"@type": "PartialDate", "year": 1974, "month": 3, "day": 9}}}, "notes": {"x1":
     {"note": "met at the conference in spring, prefers email over phone, call before noon"}}}
    """
    .replacing("\n", with: " ").utf8
)

func card() -> ContactItem {
    do { return try ContactItem.read(JSONReader.value(text)) } catch { fatalError("\(error)") }
}

/// The card as a record that one machine wrote.
func record(_ uid: String) -> Record {
    var record = Record(uid: UID(uid))
    let fields = CardFields.split(card().card) + [(.alive, JSONValue.null)]
    for (at, (key, value)) in fields.enumerated() {
        let dot = Dot(replica: ReplicaID(1), counter: UInt64(at) + 1)
        let version = Version(
            time: HybridTime(bits: 1 << 56),
            session: "0123456789abcdef-0123456789abcdef",
            value: value,
            creation: key.entry == nil ? nil : dot,
            key: nil
        )
        record.put(key, version, dot: dot, over: nil)
    }
    return record
}

func parseCard(_ times: Int) {
    for _ in 0..<times { _ = card() }
}

/// A key as the library gives it: the cache is not asked.
func keyPhone(_ times: Int) {
    let phones = PhoneNumbers().forgetful
    for _ in 0..<times {
        precondition(phones.key(of: "030 / 23 12 50-01", region: "DE") == "+493023125001")
    }
}

/// What another machine wrote into one field comes into a record.
func joinRecord(_ times: Int) {
    let ours = record("urn:uuid:7d1c9a52-0c6e-4b7a-9f00-000000000001")
    var theirs = ours
    let dot = Dot(replica: ReplicaID(2), counter: 1)
    theirs.put(
        FieldKey(member: "notes", entry: "x1"),
        Version(
            time: HybridTime(bits: 2 << 56),
            session: "fedcba9876543210-fedcba9876543210",
            value: "moved"
        ),
        dot: dot,
        over: nil
    )
    for _ in 0..<times {
        var joined = ours
        precondition(joined.join(theirs, hash: hash).changed)
    }
}

/// A hundred new records, as one transaction.
func commit100(_ times: Int) throws {
    let store = try Store.open(directory: CommandLine.arguments[3], hash: hash)
    defer { store.close() }
    store.recordStart(replica: 1)
    let book = try store.book(named: "personal")
    let body = RecordCoding.bytes(record("urn:uuid:7d1c9a52-0c6e-4b7a-9f00-000000000001"))
    for time in 0..<times {
        var batch = AddressBook.Batch()
        for at in time * 100..<time * 100 + 100 {
            let uid = "urn:uuid:7d1c9a52-0c6e-4b7a-9f00-\(at)"
            let uidHash = hash.hash(Array(uid.utf8))
            batch.records.append(
                RecordRow(
                    book: book,
                    uid: UID(uid),
                    uidHash: uidHash,
                    seq: UInt64(at) + 1,
                    digest: uidHash,
                    profile: Array("profile of \(uid)".utf8),
                    body: body
                )
            )
        }
        try store.writer.commit(batch).get()
    }
}

/// A frame with twenty records, until they are records.
func decodeFrame(_ times: Int) throws {
    let compression = FrameCompression(
        compress: { Zstd.compress($0) },
        decompress: { try Zstd.decompress($0, limit: $1) }
    )
    let records = (0..<20).map {
        RecordForm.text(RecordCoding.bytes(record("urn:uuid:7d1c9a52-0c6e-4b7a-9f00-\($0)")))
    }
    let batch = Wire.Batch(
        book: "personal",
        from: 0,
        to: FeedPosition(seq: 20, mark: 1),
        records: records,
        remaining: 0
    )
    let bytes = try FrameEncoder(compression: compression).encode(.batch(batch))
    var decoder = FrameDecoder(compression: compression)
    decoder.loggedIn()
    for _ in 0..<times {
        decoder.feed(bytes)
        guard let frame = try decoder.next(),
            case .batch(let batch) = try Message.decode(frame.kind, try JSONReader.value(frame.payload))
        else { fatalError("the frame is no batch") }
        for record in batch.records {
            let decoded = try record.decoded()
            precondition(decoded.isAlive)
        }
    }
}

let times = Int(CommandLine.arguments[2]) ?? 0
switch CommandLine.arguments[1] {
case "parse-card": parseCard(times)
case "key-phone": keyPhone(times)
case "join-record": joinRecord(times)
case "commit-100": try commit100(times)
case "decode-frame": try decodeFrame(times)
default: fatalError("there is no path \(CommandLine.arguments[1])")
}
