/// What one side tells the other when its person agrees.
package struct PairingOffer: Hashable, Sendable {
    /// The machine's name, for people.
    package let name: String
    /// The books that it shares.
    package let books: [String]

    package init(name: String, books: [String]) {
        self.name = name
        self.books = books
    }
}
