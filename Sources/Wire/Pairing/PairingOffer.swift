/// What one side tells the other when its person agrees.
package struct PairingOffer: Hashable, Sendable {
    /// The machine's name, for people.
    package let name: String
    /// The books that it shares.
    package let books: [String]
    /// Whether it takes nothing that the other sends of them.
    package let isReadOnly: Bool

    package init(name: String, books: [String], isReadOnly: Bool = false) {
        self.name = name
        self.books = books
        self.isReadOnly = isReadOnly
    }
}
