/// The whole answer.
package struct HTTPResponse: Sendable {
    package var status: UInt32
    /// The text, in UTF-8.
    package var text: String
    package var headers: [(name: String, value: String)]

    package init(status: UInt32 = 200, text: String, headers: [(name: String, value: String)]) {
        self.status = status
        self.text = text
        self.headers = headers
    }
}
