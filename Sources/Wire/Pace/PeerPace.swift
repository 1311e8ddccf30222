/// How fast, and how slow, the peer of one connection may be (`WireLimits`).
///
/// The runner tells what was taken, and looks once in `WireLimits.patience` as long as something is unfinished.
package struct PeerPace: Sendable {
    /// What is unfinished on a connection at some moment.
    package struct Progress: Hashable, Sendable {
        /// Whole frames taken so far.
        package var frames: Int
        /// Bytes read from the peer so far.
        package var read: Int
        /// Bytes that the peer has taken so far.
        package var written: Int
        /// Whether the peer has begun something that is not whole, and we are waiting for the rest.
        package var isMidFrame: Bool
        /// Whether something waits to be taken by the peer.
        package var isUnread: Bool

        package init(frames: Int, read: Int, written: Int, isMidFrame: Bool, isUnread: Bool) {
            self.frames = frames
            self.read = read
            self.written = written
            self.isMidFrame = isMidFrame
            self.isUnread = isUnread
        }
    }

    private var messages = Allowance(
        perSecond: WireLimits.messagesPerSecond,
        burst: WireLimits.messageBurst
    )
    private var comparisons = Allowance(
        perSecond: WireLimits.comparisonsPerSecond,
        burst: WireLimits.comparisonBurst
    )
    private var before: Progress?

    package init() {}

    /// A message was taken.
    ///
    /// - Parameter now: milliseconds of a monotonic clock.
    /// - Throws: `tooFast`.
    package mutating func took(_ kind: FrameKind, now: UInt64) throws(WireError) {
        guard messages.take(now: now) else {
            throw .tooFast(kind, perSecond: WireLimits.messagesPerSecond)
        }
        guard kind != .buckets || comparisons.take(now: now) else {
            throw .tooFast(kind, perSecond: WireLimits.comparisonsPerSecond)
        }
    }

    /// Whether the peer is to read, of so many bytes that wait for it, before anything more is taken of it or begun for it.
    package static func isHeld(unread bytes: Int) -> Bool { bytes > WireLimits.unreadBytes }

    /// Begins to wait for what is unfinished.
    package mutating func begin(_ progress: Progress) { before = progress }

    /// `WireLimits.patience` has passed since `begin` or the last look.
    ///
    /// - Returns: whether something is unfinished, so that another look is due.
    /// - Throws: `stalled`, `notReading`.
    package mutating func look(_ now: Progress) throws(WireError) -> Bool {
        guard let before else { preconditionFailure("a look comes after a beginning") }
        self.before = now
        if before.isMidFrame, now.isMidFrame, before.frames == now.frames,
            now.read - before.read < WireLimits.progressBytes
        {
            throw .stalled(milliseconds: WireLimits.patience)
        }
        if before.isUnread, now.isUnread, now.written - before.written < WireLimits.progressBytes {
            throw .notReading(milliseconds: WireLimits.patience)
        }
        return now.isMidFrame || now.isUnread
    }
}
