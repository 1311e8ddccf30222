package import JSON

/// Why a value is no contact that can be taken, and where in it the reason lies.
package struct CardError: Error, Hashable, Sendable {
    /// From the item to the value at fault; `JSONDocument.place(of:item:in:)` finds it in the file.
    package let path: [JSONStep]
    private let complaint: String

    init(_ path: [JSONStep], _ complaint: String) {
        self.path = path
        self.complaint = complaint
    }

    /// The same error, seen from the value around it. So no path is made where there is no error.
    func below(_ step: JSONStep) -> CardError { CardError([step] + path, complaint) }

    /// A clause for people, without a full stop; it names the member.
    package var reason: String {
        let names = path.map { step in
            switch step {
            case .key(let key): key
            case .index(let index): String(index)
            }
        }
        return names.isEmpty ? complaint : names.joined(separator: "/") + " " + complaint
    }
}
