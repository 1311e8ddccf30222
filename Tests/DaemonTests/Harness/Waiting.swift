import Foundation

/// How long the tests wait for real things, in seconds. Only a failing test waits to the end of one.
enum Patience {
    /// A daemon answers after its start.
    static let start = 20.0
    /// A command or a request is answered, and a claim about several machines becomes true.
    static let answer = 20.0
    /// SIGTERM ends a daemon.
    static let stop = 10.0
    /// A book has come to rest.
    static let settle = 40.0
    /// A peer that was told to dial is connected.
    static let connect = 25.0
    /// A case that is still wrong and has not moved for so long stays wrong.
    static let unmoved = 4.0
}

/// Windows in which nothing may move: the only times that the tests let pass on purpose, in seconds.
enum Window {
    /// A book that showed nothing new for so long has settled.
    static let rest = 0.6
    /// The same after steps that could be taken for deletions: absence is seen twice, two seconds apart.
    static let absence = 2.8
    /// Silence on the wire and on the disk is watched for so long.
    static let silence = 3.0
    /// A ring that has said everything is watched for so long; a minute by hand (`CONTACTSYNC_SILENCE=60`).
    static let longSilence =
        ProcessInfo.processInfo.environment["CONTACTSYNC_SILENCE"].flatMap { Double($0) } ?? 5.0
    /// Between two looks.
    static let look = 0.03
}

/// A moment after which waiting ends.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(_ seconds: Double) { end = .now + .seconds(seconds) }

    var isOver: Bool { ContinuousClock.now >= end }
}

/// Lets other processes run until the next look. (Not named as libc's `pause`, which would win and never return.)
func waitALittle(_ seconds: Double = Window.look) { Thread.sleep(forTimeInterval: seconds) }

/// Looks until `difference` is nil; throws its last sentence if it never is.
func eventually(
    _ claim: String,
    within seconds: Double = Patience.answer,
    _ difference: () throws -> String?
) throws {
    let deadline = Deadline(seconds)
    while let why = try difference() {
        guard !deadline.isOver else { throw Failure("\(claim): \(why)") }
        waitALittle()
    }
}

/// Looks until `condition` is true.
func waitUntil(_ claim: String, within seconds: Double = Patience.answer, _ condition: () throws -> Bool)
    throws
{
    try eventually(claim, within: seconds) { try condition() ? nil : "not so after \(Int(seconds)) s" }
}

/// Watches a value for the length of a window; returns the first other value, or nil if nothing moved.
func firstChange<Value: Equatable>(within window: Double, of value: () throws -> Value) rethrows -> (
    before: Value, after: Value
)? {
    let before = try value()
    let deadline = Deadline(window)
    while !deadline.isOver {
        waitALittle()
        let now = try value()
        if now != before { return (before, now) }
    }
    return nil
}
