import Dispatch
import Foundation
import Synchronization

/// The one thread that starts children.
///
/// The kernel ends a child together with the *thread* that started it (`PR_SET_PDEATHSIG`), and threads of a
/// pool come and go; this one stays until the tests end.
final class Spawner: Sendable {
    static let shared = Spawner()

    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let waiting = DispatchSemaphore(value: 0)

    private init() {
        let work: @Sendable () -> Void = { [self] in
            // The pool's threads block signals, and a child inherits that: it would never see SIGTERM.
            var none = sigset_t()
            unsafe sigemptyset(&none)
            unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
            while true {
                waiting.wait()
                jobs.withLock { $0.removeFirst() }()
            }
        }
        Thread.detachNewThread(work)
    }

    /// Runs one piece of work on the thread and waits for it.
    func run(_ work: @escaping @Sendable () throws -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        let outcome = Outcome()
        jobs.withLock {
            $0.append {
                do { try work() } catch { outcome.error.withLock { $0 = error } }
                done.signal()
            }
        }
        waiting.signal()
        done.wait()
        if let error = outcome.error.withLock({ $0 }) { throw error }
    }

    private final class Outcome: Sendable {
        let error = Mutex<(any Error)?>(nil)
    }
}
