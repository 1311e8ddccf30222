import JSON

/// Paths into a Card as PatchObject has them (RFC 9553, 1.4.4): a JSON Pointer without its first slash, through
/// objects only.
enum Pointer {
    /// The object with a value put at a path; nil if the path leads through something that is no object.
    static func setting(_ pointer: String, to value: JSONValue, in object: JSONObject) -> JSONObject? {
        set(steps(pointer)[...], value, object)
    }

    /// What another object lacks of this one, or says otherwise, at the paths as near to it as can be.
    ///
    /// What the other says besides is nothing here. `isNothing` tells what need not be there.
    static func missing(
        _ object: JSONObject,
        in other: JSONObject,
        at path: [String] = [],
        isNothing: ([String]) -> Bool
    ) -> [(pointer: String, value: JSONValue)] {
        object.flatMap { member -> [(pointer: String, value: JSONValue)] in
            let path = path + [member.key]
            if isNothing(path) { return [] }
            guard let theirs = other[member.key] else { return [(text(path), member.value)] }
            if theirs == member.value { return [] }
            guard let mine = member.value.object, let theirs = theirs.object else {
                return [(text(path), member.value)]
            }
            return missing(mine, in: theirs, at: path, isNothing: isNothing)
        }
    }

    private static func set(_ steps: ArraySlice<String>, _ value: JSONValue, _ object: JSONObject)
        -> JSONObject?
    {
        guard let step = steps.first else { return nil }
        var object = object
        if steps.count == 1 {
            object[step] = value
        } else {
            guard let inner = object[step].map(\.object) ?? JSONObject(),
                let changed = set(steps.dropFirst(), value, inner)
            else { return nil }
            object[step] = .object(changed)
        }
        return object
    }

    private static func steps(_ pointer: String) -> [String] {
        let whole = pointer.hasPrefix("/") ? String(pointer.dropFirst()) : pointer
        return whole.split(separator: "/", omittingEmptySubsequences: false).map { step in
            step.split(separator: "~1", omittingEmptySubsequences: false).map {
                $0.split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
            }.joined(separator: "/")
        }
    }

    private static func text(_ path: [String]) -> String {
        path.map { step in
            step.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
                .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
        }.joined(separator: "/")
    }
}
