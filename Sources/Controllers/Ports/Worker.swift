/// The port to other threads, for pure work on values that are handed over.
package protocol Worker: AnyObject {
    /// Runs `body` on another thread, then `then` with its result on the loop. Several may run at the same time.
    func work<Result: Sendable>(
        _ body: @escaping @Sendable () -> Result,
        then: @escaping (Result) -> Void
    )
}
