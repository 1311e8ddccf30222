/// What a client asks for.
package struct HTTPRequest: Sendable {
    /// `GET`, `HEAD`, or whatever it says.
    package var method: String
    /// The path, decoded, without the query.
    package var path: String
    /// The `Host` header: under which name the client knows us; nil if it says none.
    package var host: String?
    /// The query's names and values, decoded; of a name that comes twice the last.
    package var query: [String: String]
}
