import Dispatch
import Foundation
import Synchronization

/// Many rounds, several at a time, and what they found.
final class Campaign: Sendable {
    /// A number from the environment.
    static func given(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// Rounds at a time. A round mostly waits.
    static let lanes = given("LANES") ?? 6
    /// They do not wait for the other tests' worlds.
    static let places = DispatchSemaphore(value: lanes)
    /// Whether there can be one: the address sanitizer catches the same calls as the library that is preloaded.
    static let isPossible = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil

    /// When no new round begins.
    let end: ContinuousClock.Instant?

    init() { end = Self.given("MINUTES").map { .now + .seconds(60 * $0) } }

    /// How often each kind of call went wrong, so that a campaign which breaks nothing is seen.
    let hits = Mutex<[String: Int]>([:])

    func note(_ hit: String) { hits.withLock { $0[hit, default: 0] += 1 } }

    /// The same as a line.
    var tally: String {
        hits.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            .joined(separator: ", ")
    }

    /// Runs rounds until they or the time are at an end.
    ///
    /// - Returns: what failed, and how many were run.
    func run(_ numbers: Range<Int>, _ round: @escaping @Sendable (Int) throws -> Void) -> (
        failures: [String], count: Int
    ) {
        let next = Mutex(numbers.lowerBound)
        let failures = Mutex<[String]>([])
        let lanes = DispatchGroup()
        for _ in 0..<Self.lanes {
            lanes.enter()
            Thread.detachNewThread { [end] in
                defer { lanes.leave() }
                while end.map({ .now < $0 }) ?? true {
                    let number = next.withLock { next in
                        defer { next += 1 }
                        return next
                    }
                    guard numbers.contains(number) else { return }
                    do { try round(number) } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        lanes.wait()
        return (failures.withLock { $0 }, min(next.withLock { $0 }, numbers.upperBound) - numbers.lowerBound)
    }
}
