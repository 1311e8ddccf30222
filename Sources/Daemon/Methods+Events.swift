import Controllers
import JSON
import Wire

/// Events over the socket.
extension Methods {
    /// Bytes that a connection leaves unread before it is told no more for now; what it misses waits in the journal.
    private static let unreadEvents = 256 << 10

    /// Tells a connection what happened since then, and goes on unless that was all it wanted: a notification `event`
    /// each. The answer comes at once, or with `once` after the last of them.
    func events(
        _ parameters: Parameters,
        _ connection: SocketServer.Connection,
        _ answer: @escaping Answer
    ) throws(RPCError) {
        let journal = daemon.journal
        let once = parameters.flag("once")
        let since = try parameters.optional("since")
        guard connection.onEnd == nil else {
            throw .refused("this connection is told events already; open another one")
        }
        let end = journal.last
        let place =
            try since.map { since throws(RPCError) in try self.place(since) }
            ?? (once ? journal.beginning : end)
        weak var follower: Journal.Follower?
        let isReady = { [weak connection] in (connection?.pendingBytes ?? 0) < Self.unreadEvents }
        let new = journal.follow(
            from: place,
            until: once ? end : nil,
            isReady: isReady,
            take: { [weak connection, weak journal] events in
                for event in events {
                    connection?.notify("event", event) {
                        if let follower { journal?.resume(follower) }
                    }
                }
            },
            done: { [weak connection] in
                connection?.onEnd = nil
                answer(.success(["id": .number(end)]))
            }
        )
        follower = new
        connection.onEnd = { [weak journal] in if let follower { journal?.leave(follower) } }
        if !once { answer(.success(["id": .number(place)])) }
    }

    /// The place in the journal that a text means: a number, a time, or how long ago.
    private func place(_ since: String) throws(RPCError) -> Int64 {
        if let id = Int64(since), id >= 0 { return id }
        if let time = Timestamp.milliseconds(since) { return daemon.journal.place(at: time) }
        if let span = Timestamp.span(since) {
            let now = daemon.replica.now
            return daemon.journal.place(at: now > span ? now - span : 0)
        }
        throw .invalidParams(
            "since \(since) is neither the id of an event, nor a time such as 2026-03-01T09:30:00Z, nor a span; write one such as 2h"
        )
    }
}
