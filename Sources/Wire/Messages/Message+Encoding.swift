import JSON
import Replication

extension Message {
    /// The payload of its frame: JSON, with the texts of records in it as they are.
    package var payload: [UInt8] {
        switch self {
        case .hello(let hello): JSONWriter.bytes(hello.json)
        case .follow(let book, let after):
            JSONWriter.bytes(["book": .string(book), "after": after?.json ?? .null])
        case .batch(let batch): batch.payload
        case .current(let book, let at): JSONWriter.bytes(["book": .string(book), "at": .number(at)])
        case .ack(let book, let seq): JSONWriter.bytes(["book": .string(book), "seq": .number(seq)])
        case .digest(let book, let total), .equal(let book, let total):
            JSONWriter.bytes(["book": .string(book), "total": .string(total.hex)])
        case .buckets(let sums): JSONWriter.bytes(sums.json)
        case .list(let list): JSONWriter.bytes(list.json)
        case .heal(let heal): heal.payload
        case .refused(let book, let uids, let isReadOnly):
            JSONWriter.bytes([
                "book": .string(book), "uids": .array(uids.map { .string($0.text) }),
                "readOnly": .bool(isReadOnly),
            ])
        case .bye(let reason, let isRefusal):
            JSONWriter.bytes(
                isRefusal ? ["reason": .string(reason), "refused": true] : ["reason": .string(reason)]
            )
        }
    }
}

extension Batch {
    fileprivate var payload: [UInt8] {
        var out = JSONWriter(capacity: records.textBytes + 256)
        out.raw("{\"book\":")
        out.write(book)
        out.raw(",\"from\":")
        out.write(from)
        out.raw(",\"to\":")
        out.write(to.json)
        out.raw(",\"records\":")
        out.write(records)
        out.raw(",\"remaining\":")
        out.write(.number(remaining))
        out.raw("}")
        return out.bytes
    }
}

extension Heal {
    fileprivate var payload: [UInt8] {
        var out = JSONWriter(capacity: records.textBytes + 256)
        out.raw("{\"book\":")
        out.write(book)
        out.raw(",\"answer\":")
        out.write(.bool(isAnswer))
        out.raw(",\"records\":")
        out.write(records)
        out.raw(",\"last\":")
        out.write(.bool(isLast))
        out.raw("}")
        return out.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ records: [RecordForm]) {
        raw("[")
        for (n, record) in records.enumerated() {
            if n > 0 { raw(",") }
            switch record {
            case .value(let value): write(value)
            case .text(let text): raw(text)
            }
        }
        raw("]")
    }
}

extension [RecordForm] {
    /// The bytes of all texts among them, with what is between them.
    fileprivate var textBytes: Int {
        reduce(0) { sum, record in
            if case .text(let text) = record { sum + text.count + 1 } else { sum }
        }
    }
}

extension BucketSums {
    fileprivate var json: JSONValue {
        [
            "book": .string(book), "purpose": .string(purpose.rawValue),
            "sums": .string(sums.map(\.hex).joined()),
        ]
    }
}

extension BucketList {
    fileprivate var json: JSONValue {
        [
            "book": .string(book), "purpose": .string(purpose.rawValue),
            "answer": .bool(isAnswer), "buckets": .array(buckets.map { .number($0) }),
            "entries": .array(entries.map { [.string($0.uid.text), .string($0.hash.hex)] }),
        ]
    }
}

extension FeedPosition {
    fileprivate var json: JSONValue { ["seq": .number(seq), "mark": .string(mark.hex)] }
}

extension Hello {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["versions"] = .array(versions.map { .number($0) })
        object["device"] = .string(device)
        object["start"] = .string(start.hex)
        object["books"] = .array(books.map { .string($0) })
        if let clock { object["clock"] = .number(clock) }
        return .object(object)
    }
}
