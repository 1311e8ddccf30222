/// The versions of vCard that are told apart.
package enum VCardVersion: Hashable, Sendable {
    /// vCard 2.1 (versit, 1996); read, never written.
    case v2
    /// RFC 2426.
    case v3
    /// RFC 6350, with what RFC 9554 adds.
    case v4

    /// The value of `VERSION`; what is newer is read as 4.0, what says nothing as 3.0.
    init(_ text: String) {
        switch text.first {
        case "2", "1": self = .v2
        case "3", nil: self = .v3
        default: self = .v4
        }
    }

    /// The value of `VERSION`.
    package var text: String {
        switch self {
        case .v2: "2.1"
        case .v3: "3.0"
        case .v4: "4.0"
        }
    }
}
