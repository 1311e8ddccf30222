import Controllers
import Replication
import TestSupport
import Wire

/// One connection between two machines: a row of messages each way, that may stall, be cut, or end on one side first.
final class Link {
    /// One side of it.
    final class End {
        let machine: Machine
        /// The daemon's life that holds it.
        let life: Life
        var feed: FeedController?
        var isOpen = true
        /// What is on its way to this side.
        var arriving: [Message] = []
        var isDelivering = false

        init(_ machine: Machine, _ life: Life) {
            self.machine = machine
            self.life = life
        }
    }

    let ends: [End]
    private let timeline: Timeline
    private let fault: Fault?
    private var random: SeededGenerator
    /// While it stalls nothing arrives.
    var isStalled = false {
        didSet { if !isStalled { for end in ends { deliver(end) } } }
    }
    /// The connection in whose place this one is; each side has it until it has this one.
    var former: Link?
    /// Messages that arrived.
    private(set) var delivered = 0
    /// Hears of records that a comparison found to differ.
    var onHeal: ([RecordForm]) -> Void = { _ in }
    var trace: (String) -> Void = { _ in }

    init(_ a: Machine, _ b: Machine, _ timeline: Timeline, fault: Fault?, seed: UInt64) {
        guard let x = a.life, let y = b.life else { preconditionFailure("a link joins two running daemons") }
        ends = [End(a, x), End(b, y)]
        self.timeline = timeline
        self.fault = fault
        random = SeededGenerator(seed: seed)
    }

    var isOpen: Bool { ends.contains { $0.isOpen } }
    var isWhole: Bool { ends.allSatisfy { $0.isOpen } }
    var isEmpty: Bool { ends.allSatisfy { $0.arriving.isEmpty } }

    /// Each side logs the other in, one before the other.
    func open() {
        for at in random.chance(0.5) ? [0, 1] : [1, 0] {
            timeline.after(UInt64(random.below(20) + 1)) { [self] in login(at) }
        }
    }

    private func login(_ at: Int) {
        let (own, other) = (ends[at], ends[1 - at])
        guard own.isOpen, own.life === own.machine.life else { return }
        former?.end(at)
        let names = "\(own.machine.name)-\(other.machine.name)"
        own.feed = own.life.connect(
            to: other.machine,
            send: { [weak self] in self?.send($0, to: 1 - at) },
            fail: { [weak self] reason in
                self?.trace("link \(names) fails: \(reason)")
                self?.close(at)
            }
        )
        own.feed?.start()
        own.life.wake()
        deliver(own)
    }

    private func send(_ message: Message, to at: Int) {
        guard ends[1 - at].isOpen else { return }
        ends[at].arriving += fault?.messages(message) ?? [message]
        deliver(ends[at])
    }

    private func deliver(_ end: End) {
        guard !end.isDelivering, !isStalled, end.isOpen, end.feed != nil, !end.arriving.isEmpty else {
            return
        }
        end.isDelivering = true
        timeline.after(UInt64(random.below(15))) { [weak self] in
            guard let self else { return }
            end.isDelivering = false
            guard end.isOpen, !isStalled, let feed = end.feed, !end.arriving.isEmpty else { return }
            guard end.life === end.machine.life else { return }
            // A feed that is full is not read; its end of turn looks again.
            if !feed.isFull {
                delivered += 1
                if case .heal(let heal) = end.arriving[0], !heal.records.isEmpty { onHeal(heal.records) }
                feed.received(end.arriving.removeFirst())
                end.life.wake()
            }
            deliver(end)
        }
    }

    /// One side sees it end; the other does after a while, what is on its way to it first, or some of it.
    func close(_ at: Int) {
        let (own, other) = (ends[at], ends[1 - at])
        guard own.isOpen else { return }
        own.isOpen = false
        own.arriving = []
        if own.life === own.machine.life {
            own.feed?.close()
            own.life.wake()
        }
        if random.chance(0.5) { other.arriving.removeLast(random.below(other.arriving.count + 1)) }
        timeline.after(UInt64(random.below(200))) { [weak self] in self?.close(1 - at) }
    }

    /// One side ends it and all before it.
    func end(_ at: Int) {
        close(at)
        former?.end(at)
    }

    /// It ends on both sides at once; what was on its way is lost.
    func cut() {
        former?.cut()
        for end in ends { end.arriving = [] }
        close(0)
        close(1)
    }
}
