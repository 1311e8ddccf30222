/// Why a command did not happen.
struct Failure: Error, Equatable {
    let exit: ExitCode
    /// Sentences for a person; the last one says what to do next.
    let message: String

    init(_ exit: ExitCode, _ message: String) {
        self.exit = exit
        self.message = message
    }
}
