/// One property of a vCard, as a content line (RFC 6350, 3.3) gives it.
struct ContentLine: Hashable, Sendable {
    /// What ties it to other lines, as it was written.
    var group: String?
    /// In capitals.
    var name: String
    /// No two have one name.
    var parameters: [Parameter]
    /// As it is written: backslashes are still there.
    var value: String
    /// Where it begins, counted from 1; 0 for a line that was made.
    var line = 0

    init(_ name: String, _ value: String, _ parameters: [Parameter] = []) {
        self.name = name
        self.value = value
        self.parameters = parameters
    }

    /// Reads, replaces, appends, or (with nil or nothing) removes a parameter.
    subscript(name: String) -> [String]? {
        get { parameters.first { $0.name == name }?.values }
        set {
            let at = parameters.firstIndex { $0.name == name }
            switch (at, newValue) {
            case (let at?, let values?) where !values.isEmpty: parameters[at].values = values
            case (let at?, _): parameters.remove(at: at)
            case (nil, let values?) where !values.isEmpty: parameters.append(Parameter(name, values))
            case (nil, _): break
            }
        }
    }

    /// The first value of a parameter.
    func first(_ name: String) -> String? { self[name]?.first }

    /// Removes a parameter and says what it was.
    mutating func remove(_ name: String) -> [String]? {
        defer { self[name] = nil }
        return self[name]
    }

    /// Adds values to a parameter that may be there.
    mutating func add(_ name: String, _ values: [String]) { self[name] = (self[name] ?? []) + values }

    /// Whether one of the types is this one.
    func hasType(_ type: String) -> Bool { self["type"]?.contains(type) ?? false }

    /// Removes one type; whether it was there.
    mutating func removeType(_ type: String) -> Bool {
        guard let types = self["type"], types.contains(type) else { return false }
        self["type"] = types.filter { $0 != type }
        return true
    }
}
