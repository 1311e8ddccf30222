import Controllers

/// Timers of one life of a daemon: what a crashed one had planned never happens.
final class LifeScheduler: Scheduler {
    private let timeline: Timeline
    private(set) var isAlive = true

    init(_ timeline: Timeline) { self.timeline = timeline }

    var uptime: UInt64 { timeline.now }

    func after(_ milliseconds: UInt64, _ body: @escaping () -> Void) -> () -> Void {
        timeline.after(milliseconds) { [weak self] in
            guard let self, isAlive else { return }
            body()
        }
    }

    func end() { isAlive = false }
}
