import Config
import EventLoop
import JSON

/// The programs that are run for events.
///
/// Each hook follows the journal at its own pace, one process at a time, so that it hears of everything in order; what
/// it has not come to waits there and takes no memory. A hook that fails is logged and shown, and goes on with the
/// next event.
final class Hooks {
    /// One configured hook.
    final class Hook {
        let configuration: Configuration.Hook
        fileprivate(set) var follower: Journal.Follower?
        fileprivate var process: ChildProcess?
        fileprivate var timer: LoopTimer?
        fileprivate var waiting: [JSONObject] = []
        /// Processes that were started, and those of them that failed.
        fileprivate(set) var runs = 0
        fileprivate(set) var failures = 0
        /// Why the last one failed, nil if it did not.
        fileprivate(set) var lastError: String?

        fileprivate init(_ configuration: Configuration.Hook) {
            self.configuration = configuration
        }
    }

    private unowned let daemon: Daemon
    private(set) var hooks: [Hook] = []

    init(_ daemon: Daemon) {
        self.daemon = daemon
    }

    /// Takes the configured hooks; each hears of what happens from now on. One that is still as it was goes on.
    func configure(_ configured: [Configuration.Hook]) {
        let old = hooks
        hooks = configured.map { hook in old.first { $0.configuration == hook } ?? Hook(hook) }
        for hook in old where !hooks.contains(where: { $0 === hook }) { end(hook) }
        for hook in hooks where hook.follower == nil { start(hook) }
    }

    /// Ends all hooks, and the processes that still run for them.
    func close() {
        for hook in hooks { end(hook) }
        hooks = []
    }

    /// What a status shows of them.
    var status: JSONValue {
        .array(
            hooks.map { hook in
                [
                    "name": .string(hook.configuration.name), "runs": .number(hook.runs),
                    "failures": .number(hook.failures),
                    "lastError": hook.lastError.map { .string($0) } ?? .null,
                    "behind": .number(max(0, daemon.journal.last - (hook.follower?.place ?? 0))),
                ]
            }
        )
    }

    private func start(_ hook: Hook) {
        let place = daemon.journal.last
        hook.follower = daemon.journal.follow(
            from: place,
            isReady: { [weak hook] in hook?.process == nil && hook?.waiting.isEmpty ?? false },
            take: { [weak self, weak hook] events in
                guard let self, let hook else { return }
                hook.waiting = events.filter { hook.wants($0) }
                next(hook)
            }
        )
    }

    private func end(_ hook: Hook) {
        if let follower = hook.follower { daemon.journal.leave(follower) }
        hook.waiting = []
        hook.timer?.cancel()
        hook.process?.kill()
    }

    private func next(_ hook: Hook) {
        guard !hook.waiting.isEmpty else {
            if let follower = hook.follower { daemon.journal.resume(follower) }
            return
        }
        let event = hook.waiting.removeFirst()
        let line = JSONWriter.bytes(.object(event)) + [UInt8(ascii: "\n")]
        let seconds = hook.configuration.timeout
        hook.runs += 1
        do {
            var isLate = false
            let process = try daemon.loop.run(hook.configuration.command, input: line) {
                [weak self, weak hook] end in
                guard let self, let hook else { return }
                hook.timer?.cancel()
                hook.process = nil
                switch end {
                case .exited(code: 0): hook.lastError = nil
                case .exited(let code): failed(hook, event, "it exited with \(code)")
                case .killed where isLate: failed(hook, event, "it was killed after \(seconds) s")
                case .killed(let signal): failed(hook, event, "signal \(signal) ended it")
                }
                next(hook)
            }
            hook.process = process
            hook.timer = daemon.loop.after(UInt64(seconds) * 1000) { [weak hook] in
                isLate = true
                hook?.process?.kill()
            }
        } catch {
            failed(hook, event, error.description)
            // A program that is not there is not asked for once a millisecond.
            hook.timer = daemon.loop.after(Self.pause) { [weak self, weak hook] in
                if let hook { self?.next(hook) }
            }
        }
    }

    /// Between two tries of a program that cannot be started, milliseconds.
    private static let pause: UInt64 = 100

    private func failed(_ hook: Hook, _ event: JSONObject, _ reason: String) {
        hook.failures += 1
        hook.lastError = reason
        let what = event["event"]?.string ?? ""
        daemon.log.warning(
            "hook \(hook.configuration.name), \(what): \(reason); see [hooks.\(hook.configuration.name)]"
        )
    }
}

extension Hooks.Hook {
    /// A gap concerns all.
    fileprivate func wants(_ event: JSONObject) -> Bool {
        guard let what = event["event"]?.string else { return false }
        return what == "gap" || configuration.events.contains(what)
    }
}
