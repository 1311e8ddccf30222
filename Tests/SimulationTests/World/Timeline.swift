/// Virtual time: what is to happen, in the order of its time, then of its being planned.
final class Timeline {
    private struct Event {
        var time: UInt64
        var order: UInt64
        var isCancelled = false
        var body: () -> Void
    }

    /// Milliseconds since the run began.
    private(set) var now: UInt64 = 0
    private var events: [UInt64: Event] = [:]
    private var heap: [(time: UInt64, order: UInt64)] = []
    private var lastOrder: UInt64 = 0
    /// Events that have happened.
    private(set) var count = 0

    /// Plans something.
    ///
    /// - Returns: cancels it.
    @discardableResult
    func after(_ delay: UInt64, _ body: @escaping () -> Void) -> () -> Void {
        lastOrder += 1
        let order = lastOrder
        events[order] = Event(time: now + delay, order: order, body: body)
        push((now + delay, order))
        return { [weak self] in self?.events[order] = nil }
    }

    /// Lets the next thing happen if it is due by then.
    ///
    /// - Returns: whether anything happened.
    func step(until end: UInt64) -> Bool {
        while let next = heap.first {
            guard events[next.order] != nil else {
                pop()
                continue
            }
            guard next.time <= end else { return false }
            pop()
            guard let event = events.removeValue(forKey: next.order) else { continue }
            now = max(now, next.time)
            count += 1
            event.body()
            return true
        }
        return false
    }

    /// Lets all happen that is due within a time.
    func run(for span: UInt64) {
        let end = now + span
        while step(until: end) {}
        now = end
    }

    /// Lets a long time pass in which nothing else was going to happen.
    func leap(_ span: UInt64) { run(for: span) }

    /// Forgets what was planned: plans hold who made them, and who made them holds the timeline.
    func end() {
        events = [:]
        heap = []
    }

    // MARK: The heap

    private func isBefore(_ a: Int, _ b: Int) -> Bool {
        (heap[a].time, heap[a].order) < (heap[b].time, heap[b].order)
    }

    private func push(_ place: (time: UInt64, order: UInt64)) {
        heap.append(place)
        var at = heap.count - 1
        while at > 0, isBefore(at, (at - 1) / 2) {
            heap.swapAt(at, (at - 1) / 2)
            at = (at - 1) / 2
        }
    }

    private func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var at = 0
        while true {
            var least = at
            for child in [2 * at + 1, 2 * at + 2] where child < heap.count && isBefore(child, least) {
                least = child
            }
            guard least != at else { return }
            heap.swapAt(at, least)
            at = least
        }
    }
}
