import Controllers

/// Other threads: what they are given is done at once, and handed back some time later.
final class LifeWorker: Worker {
    private let scheduler: LifeScheduler
    private let random: () -> UInt64

    init(_ scheduler: LifeScheduler, random: @escaping () -> UInt64) {
        self.scheduler = scheduler
        self.random = random
    }

    func work<Result: Sendable>(
        _ body: @escaping @Sendable () -> Result,
        then: @escaping (Result) -> Void
    ) {
        let result = body()
        _ = scheduler.after(random() % 4) { then(result) }
    }
}
