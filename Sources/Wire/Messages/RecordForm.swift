package import JSON
package import Replication

/// A record in a message, in the form of `RecordCoding`: as it was read from a frame, or as the text that is to be sent.
///
/// Who sends has the text from its store, and to parse it only to write it again was most of a first sync's work.
package enum RecordForm: Hashable, Sendable {
    /// As it was read from a frame, not yet decoded.
    case value(JSONValue)
    /// As it is stored. It stands in the payload as it is, so it has to be JSON that we wrote ourselves.
    case text([UInt8])
}

extension RecordForm {
    /// The record itself; how much it may hold is for `RecordLimits` to say.
    ///
    /// - Throws: `RecordError` for what is no record, be it because the text is no JSON or deeper than `RecordLimits.depth`.
    package func decoded() throws(RecordError) -> Record {
        switch self {
        case .value(let value): return try RecordCoding.decode(value)
        case .text(let text):
            let value: JSONValue
            do throws(JSONFlaw) { value = try JSONReader.value(text, maxDepth: RecordLimits.depth) } catch {
                throw RecordError(reason: "it is no JSON: \(error.reason)")
            }
            return try RecordCoding.decode(value)
        }
    }

    /// Whether it is made of so many values and names at most; a text that is no JSON is not.
    func hasAtMost(values: Int) -> Bool {
        switch self {
        case .value(let value): value.valueCount <= values
        case .text(let text):
            (try? JSONReader.value(text, maxDepth: RecordLimits.depth, maxValues: values)) != nil
        }
    }
}
