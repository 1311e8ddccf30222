import AddressBook
import Contacts
import JSON
import Replication

extension Claim {
    /// FNV-1a, spread over 32 bytes: quick, and as good as any where nobody attacks the hash.
    static let hash = HashFunction { bytes in
        var h: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { h = (h ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return (0..<4).flatMap { round -> [UInt8] in
            h = (h ^ (h >> 29)) &* 0xBF58_476D_1CE4_E5B9
            return (0..<8).map { UInt8(truncatingIfNeeded: h >> UInt64($0 * 8)) }
        }
    }

    func checkJSON(_ bytes: [UInt8]) {
        if let value = try? JSONReader.value(bytes) {
            let text = JSONWriter.bytes(value)
            precondition((try? JSONReader.value(text)) == value, "a value is read as it was written")
            precondition(
                (try? JSONReader.value(bytes, maxValues: value.valueCount)) == value
                    && (try? JSONReader.value(bytes, maxValues: value.valueCount - 1)) == nil,
                "values are counted as they are limited"
            )
        }
        guard let document = try? JSONDocument.read(bytes) else { return }
        precondition(document.isArray || document.items.count == 1, "what is no list is one item")
        var end = 0
        for item in document.items {
            precondition(
                item.range.lowerBound >= end && item.range.upperBound <= bytes.count,
                "items lie in order"
            )
            end = item.range.upperBound
            guard case .success(let value) = item.value else { continue }
            precondition(
                (try? JSONReader.value(Array(bytes[item.range]))) == value,
                "an item is what its bytes say"
            )
        }
    }

    /// The bytes are those of a file.
    func checkCards(_ bytes: [UInt8]) {
        guard let parsed = try? ParsedFile(bytes) else { return }
        let kept = FileText.replacing(bytes, parsed, [:])
        guard let again = try? ParsedFile(kept) else {
            preconditionFailure("a file that is rewritten can be read")
        }
        precondition(
            again.items.map(\.contact.card) == parsed.items.map(\.contact.card),
            "a file that is rewritten says what it said"
        )
        var counter: UInt64 = 0
        for (n, item) in parsed.items.prefix(8).enumerated() {
            let saved = SavedCard(item.contact, hash: Self.hash) { $0.first == "+" ? $0 : nil }
            let uid = item.uid ?? UID("made-\(n)")
            var editor = RecordEditor(
                time: HybridTime(bits: 1 << 30),
                session: "0123456789abcdef-0123456789abcdef",
                hash: Self.hash,
                mint: {
                    counter += 1
                    return Dot(replica: ReplicaID(7), counter: counter)
                },
                load: { _ in nil }
            )
            editor.add(uid, saved)
            let record = editor.record(uid)
            let text = RecordCoding.bytes(record)
            guard let value = try? JSONReader.value(text, maxDepth: RecordLimits.depth),
                let back = try? RecordCoding.decode(value)
            else { preconditionFailure("a record that was made can be read") }
            precondition(back == record, "a record is read as it was written")
            precondition(RecordCoding.bytes(back) == text, "equal records have equal texts")
            _ = Profile(record)
            let card = PersonCard([record])
            precondition(
                PersonCard([back]).phones.map(\.number) == card.phones.map(\.number),
                "a card is a function"
            )
        }
    }
}
