import Dispatch
import Foundation
import Synchronization

/// Watches directories for `*.json` files that vanish, many times a second, on a thread of its own.
final class DeletionWatch: Sendable {
    private let state = Mutex((lost: [String](), isDone: false))
    private let ended = DispatchSemaphore(value: 0)

    /// Starts to watch: machine names and their books' directories.
    init(_ directories: [(machine: String, path: String)]) {
        Thread.detachNewThread { [self] in
            var had = directories.map { _ in Set<String>() }
            while !state.withLock({ $0.isDone }) {
                for (index, (machine, path)) in directories.enumerated() {
                    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
                    let there = Set(names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") })
                    for name in had[index].subtracting(there) {
                        // A listing may miss a name that is just being swapped.
                        if FileManager.default.fileExists(atPath: path + "/" + name) { continue }
                        state.withLock { $0.lost.append("\(name) vanished on \(machine)") }
                    }
                    had[index] = there
                }
                waitALittle()
            }
            ended.signal()
        }
    }

    /// Stops watching; what vanished.
    func stop() -> [String] {
        state.withLock { $0.isDone = true }
        ended.wait()
        ended.signal()
        return state.withLock { $0.lost }
    }
}
