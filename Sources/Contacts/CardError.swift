package import JSON

/// Why a value is no contact that can be taken, and where in it the reason lies.
package struct CardError: Error, Hashable, Sendable {
    /// From the item to the value at fault; `JSONDocument.place(of:item:in:)` finds it in the file.
    package let path: [JSONStep]
    /// A clause for people, without a full stop; it names the member.
    package let reason: String

    init(_ path: [JSONStep], _ reason: String) {
        self.path = path
        let names = path.map { step in
            switch step {
            case .key(let key): key
            case .index(let index): String(index)
            }
        }
        self.reason = names.isEmpty ? reason : names.joined(separator: "/") + " " + reason
    }
}
