package import JSON
import Replication

extension Message {
    /// The payload of its frame.
    package var json: JSONValue {
        switch self {
        case .hello(let hello):
            hello.json
        case .follow(let book, let after):
            ["book": .string(book), "after": after?.json ?? .null]
        case .batch(let batch):
            [
                "book": .string(batch.book), "from": .number(batch.from), "to": batch.to.json,
                "records": .array(batch.records), "remaining": .number(batch.remaining),
            ]
        case .current(let book, let at): ["book": .string(book), "at": .number(at)]
        case .ack(let book, let seq): ["book": .string(book), "seq": .number(seq)]
        case .digest(let book, let total), .equal(let book, let total):
            ["book": .string(book), "total": .string(total.hex)]
        case .buckets(let sums):
            [
                "book": .string(sums.book), "purpose": .string(sums.purpose.rawValue),
                "sums": .string(sums.sums.map(\.hex).joined()),
            ]
        case .list(let list):
            [
                "book": .string(list.book), "purpose": .string(list.purpose.rawValue),
                "answer": .bool(list.isAnswer), "buckets": .array(list.buckets.map { .number($0) }),
                "entries": .array(list.entries.map { [.string($0.uid.text), .string($0.hash.hex)] }),
            ]
        case .heal(let heal):
            [
                "book": .string(heal.book), "answer": .bool(heal.isAnswer),
                "records": .array(heal.records), "last": .bool(heal.isLast),
            ]
        case .refused(let book, let uids, let isReadOnly):
            [
                "book": .string(book), "uids": .array(uids.map { .string($0.text) }),
                "readOnly": .bool(isReadOnly),
            ]
        case .bye(let reason, let isRefusal):
            isRefusal ? ["reason": .string(reason), "refused": true] : ["reason": .string(reason)]
        }
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
