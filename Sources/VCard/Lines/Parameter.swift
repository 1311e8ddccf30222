/// One parameter of a content line.
struct Parameter: Hashable, Sendable {
    /// In lower case.
    var name: String
    /// Without quotes and escapes; at least one.
    var values: [String]

    init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }
}
