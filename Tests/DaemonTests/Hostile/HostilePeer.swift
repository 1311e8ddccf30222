import Compression
import Foundation
import Glibc
import JSON
import Replication
import TLS
import Wire

/// A peer with a key that the daemon lists, over real TLS, which says whatever a test wants it to say.
///
/// Nothing here waits for ever: a daemon that takes no more, or says nothing, costs a deadline.
final class HostilePeer {
    static let compression = FrameCompression(
        compress: { Zstd.compress($0) },
        decompress: { try Zstd.decompress($0, limit: $1) }
    )

    let socket: Socket
    private let tls: TLSConnection
    private var decoder = FrameDecoder(compression: compression)
    private var waiting: [Message] = []
    /// Why the daemon closed, as its bye says; empty where it closed without one.
    private(set) var ending: String?
    /// The replica ID that the daemon's hello gave.
    private(set) var start = ReplicaID(0)

    /// Connects; TLS has not begun.
    init(key directory: String, port: UInt16) throws {
        socket = try Socket.loopback(port)
        // Longer than a daemon under test needs to take what it will take.
        socket.giveUpSending(after: 2)
        tls = TLSConnection(identity: try Identity.load(directory: directory), role: .client) { _ in true }
    }

    /// Does TLS; false if the daemon closed instead.
    @discardableResult
    func shakeHands() -> Bool {
        flush()
        let deadline = Deadline(10)
        while !tls.isEstablished, ending == nil, !deadline.isOver { read(within: 0.5) }
        return tls.isEstablished
    }

    /// TLS, and hello both ways.
    func logIn(books: [String] = [Machine.book]) throws {
        guard shakeHands() else { throw Failure("no TLS: \(ending ?? "no answer")") }
        send(Self.hello(books: books))
        guard case .hello(let hello)? = next() else { throw Failure("no hello: \(ending ?? "no answer")") }
        start = hello.start
        decoder.loggedIn()
    }

    static func hello(versions: [Int] = [1], device: String = "hostile", books: [String] = [Machine.book])
        -> Message
    {
        .hello(
            Hello(
                versions: versions,
                device: device,
                start: ReplicaID(UInt64.random(in: 1 ... .max)),
                books: books
            )
        )
    }

    // MARK: Saying

    /// Sends bytes as TLS data; false if the daemon is gone or takes no more.
    @discardableResult
    func send(plain bytes: [UInt8]) -> Bool {
        guard (try? tls.send(bytes)) != nil else { return false }
        return flush()
    }

    @discardableResult
    func send(_ message: Message) -> Bool {
        guard let bytes = try? FrameEncoder(compression: Self.compression).encode(message) else {
            return false
        }
        return send(plain: bytes)
    }

    /// A frame made by hand; `length` stands in the header in place of the true one.
    @discardableResult
    func send(kind: UInt8, flags: UInt8 = 0, length: Int? = nil, _ payload: [UInt8]) -> Bool {
        let length = length ?? payload.count
        let header = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + [kind, flags]
        return send(plain: header + payload)
    }

    /// A payload as text.
    @discardableResult
    func send(_ kind: FrameKind, _ text: String) -> Bool { send(kind: kind.rawValue, Array(text.utf8)) }

    /// A payload as text, compressed whatever its size.
    @discardableResult
    func send(compressed kind: FrameKind, _ payload: [UInt8]) -> Bool {
        send(kind: kind.rawValue, flags: 1, Zstd.compress(payload))
    }

    /// A batch from the beginning of our feed, or from where the last one ended.
    @discardableResult
    func send(records: [JSONValue], from: UInt64 = 0, to: UInt64 = 1, remaining: Int = 0) -> Bool {
        send(
            .batch(
                Batch(
                    book: Machine.book,
                    from: from,
                    to: FeedPosition(seq: to, mark: 7),
                    records: records.map { .value($0) },
                    remaining: remaining
                )
            )
        )
    }

    /// Sends bytes past TLS.
    @discardableResult
    func send(raw bytes: [UInt8]) -> Bool { socket.send(bytes) }

    /// What TLS would send for some data.
    func cipher(_ plain: [UInt8]) throws -> [UInt8] {
        try tls.send(plain)
        return tls.takeOutput()
    }

    // MARK: Hearing

    /// The next message; nil if none comes in time, or the daemon closed.
    func next(within seconds: Double = 10) -> Message? {
        let deadline = Deadline(seconds)
        while waiting.isEmpty, ending == nil, !deadline.isOver { read(within: 0.2) }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    /// Reads on until the daemon closes; its reason, or nil if it does not in time.
    func end(within seconds: Double = 10) -> String? {
        let deadline = Deadline(seconds)
        while ending == nil, !deadline.isOver {
            read(within: 0.2)
            waiting = []
        }
        return ending
    }

    /// All records of the book, as the daemon sends them to who follows it.
    func records() throws -> [Record] {
        send(.follow(book: Machine.book, after: nil))
        var all: [Record] = []
        while let message = next() {
            switch message {
            case .batch(let batch):
                for record in batch.records { all.append(try record.decoded()) }
                send(.ack(book: Machine.book, seq: batch.to.seq))
                if batch.remaining == 0 { return all }
            case .current: return all
            default: continue
            }
        }
        throw Failure("the feed has no end: \(ending ?? "no answer")")
    }

    /// Waits until the daemon has committed what was sent up to `seq`.
    func waitAcknowledged(_ seq: UInt64 = 1) throws {
        while let message = next() {
            if message == .ack(book: Machine.book, seq: seq) { return }
        }
        throw Failure("no ack of \(seq): \(ending ?? "no answer")")
    }

    func close() { socket.shutDown() }

    private func read(within seconds: Double) {
        guard socket.isReadable(within: seconds) else { return }
        let bytes = socket.receive()
        guard !bytes.isEmpty else {
            if ending == nil { ending = "" }
            return
        }
        guard let plain = try? tls.receive(bytes) else {
            ending = ""
            return
        }
        flush()
        decoder.feed(plain)
        do {
            while let frame = try decoder.next() {
                let message = try Message.decode(frame)
                if case .bye(let reason, _) = message { ending = reason }
                waiting.append(message)
            }
        } catch { ending = "the daemon says what nobody can read: \(error)" }
    }

    @discardableResult
    private func flush() -> Bool {
        let output = tls.takeOutput()
        return output.isEmpty || socket.send(output)
    }
}
