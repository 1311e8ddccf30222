extension RecordCoding {
    /// The greatest nesting of a record's JSON: a card's 64 levels and what a record wraps around a value.
    package static let depthLimit = 80
}
