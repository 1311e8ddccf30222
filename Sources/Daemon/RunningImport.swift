import Controllers

/// The session of a connection that imports into a book; it ends with the connection.
final class RunningImport {
    let book: Book
    let isRehearsal: Bool
    let cards: CardImport
    private let session: SessionID

    init(_ book: Book, _ login: LoginController, isRehearsal: Bool) {
        do { session = try login.login(.command, to: [book.list]) } catch {
            preconditionFailure("our own user may always log in")
        }
        self.book = book
        self.isRehearsal = isRehearsal
        cards = CardImport(
            into: book.list,
            add: book.list.addController(for: session),
            isRehearsal: isRehearsal
        )
    }

    deinit { book.list.leave(session) }
}
