import JSON

extension JSONObject {
    /// An object of members whose keys differ.
    init(_ pairs: [(String, JSONValue)]) {
        self.init(uniqueMembers: pairs.map { Member(key: $0.0, value: $0.1) })
    }
}
