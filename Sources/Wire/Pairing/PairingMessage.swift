import JSON

/// What is said on a pairing connection; the grammar is in Wire.docc.
package enum PairingMessage: Hashable, Sendable {
    /// The dialling side: let people compare digits.
    case compare
    /// The waiting side: the commitment to its nonce, 32 bytes.
    case commitment([UInt8])
    /// Either side's nonce, 16 bytes; the dialling side's comes first.
    case nonce([UInt8])
    /// The dialling side: I have your invitation (32 bytes that prove it), and this is what I offer.
    case proof([UInt8], PairingOffer)
    /// The person here agrees.
    case confirm(PairingOffer)
    /// The sender closes, and why.
    case bye(reason: String)
}

extension PairingMessage {
    /// The frame that carries it.
    package var frame: Frame {
        if case .bye(let reason) = self {
            return Frame(kind: .bye, payload: JSONWriter.bytes(["reason": .string(reason)]))
        }
        return Frame(kind: .pairing, payload: JSONWriter.bytes(json))
    }

    private var json: JSONValue {
        switch self {
        case .compare: ["step": "compare"]
        case .commitment(let bytes): ["step": "commitment", "value": .string(bytes.hex)]
        case .nonce(let bytes): ["step": "nonce", "value": .string(bytes.hex)]
        case .proof(let bytes, let offer):
            ["step": "proof", "value": .string(bytes.hex), "offer": offer.json]
        case .confirm(let offer): ["step": "confirm", "offer": offer.json]
        case .bye(let reason): ["reason": .string(reason)]
        }
    }

    /// Reads a frame.
    ///
    /// - Throws: `unexpected` for a frame that has no place on a pairing connection, `malformed` for one that is not
    ///   what it says.
    package static func decode(_ frame: Frame) throws(WireError) -> PairingMessage {
        let payload: JSONValue
        do throws(JSONFlaw) {
            payload = try JSONReader.value(frame.payload, maxDepth: depth)
        } catch { throw .malformed(frame.kind, reason: error.reason) }
        let reader = try PayloadReader(frame.kind, payload)
        switch frame.kind {
        case .bye: return .bye(reason: try reader.reason())
        case .pairing: break
        default: throw .unexpected(frame.kind, reason: "this connection is for pairing only")
        }
        switch try reader.text("step", limit: 16) {
        case "compare": return .compare
        case "commitment": return .commitment(try bytes(32, reader))
        case "nonce": return .nonce(try bytes(PairingTranscript.nonceBytes, reader))
        case "proof": return .proof(try bytes(32, reader), try offer(reader))
        case "confirm": return .confirm(try offer(reader))
        default: throw reader.wrong("step", "one that is known")
        }
    }

    /// Levels of arrays and objects in a payload.
    private static let depth = 4

    private static func bytes(_ count: Int, _ reader: PayloadReader) throws(WireError) -> [UInt8] {
        guard let bytes = [UInt8](hex: try reader.text("value", limit: 2 * count)), bytes.count == count
        else { throw reader.wrong("value", "\(2 * count) hexadecimal digits") }
        return bytes
    }

    private static func offer(_ reader: PayloadReader) throws(WireError) -> PairingOffer {
        let offer = try PayloadReader(.pairing, try reader.member("offer"))
        var books: [String] = []
        for item in try offer.list("books", limit: WireLimits.books) {
            guard let book = item.string, book.utf8.count <= WireLimits.nameBytes else {
                throw offer.wrong("books", "a list of names")
            }
            books.append(book)
        }
        return PairingOffer(
            name: try offer.text("name", limit: WireLimits.nameBytes),
            books: books,
            isReadOnly: try offer.bool("readOnly")
        )
    }
}

extension PairingOffer {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "books": .array(books.map { .string($0) }),
            "readOnly": .bool(isReadOnly),
        ]
    }
}

extension [UInt8] {
    /// Two lower-case hexadecimal digits a byte.
    package var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Reads what `hex` wrote; nil for anything else.
    package init?(hex: String) {
        let digits = Array(hex.utf8)
        guard digits.count % 2 == 0, digits.allSatisfy(\.isLowerHex) else { return nil }
        let values = digits.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
        self = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
