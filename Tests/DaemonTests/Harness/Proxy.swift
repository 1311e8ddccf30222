import Dispatch
import Foundation
import Synchronization

/// A TCP proxy for one direction of dialling. It counts the bytes both ways and can be cut and restored.
///
/// Cut means what a machine out of reach means: open connections end, new ones are refused.
final class Proxy: Sendable {
    let port: UInt16
    private let target: UInt16
    private let state = Mutex(State())

    private struct State {
        var listener: Socket?
        var listening: DispatchSemaphore?
        var open: [Socket] = []
        var bytes = 0
        var connections = 0
    }

    /// Listens at once on a port of its own.
    init(to target: UInt16) throws {
        self.target = target
        port = try Ports.free()
        try restore()
    }

    /// Bytes forwarded so far, both ways.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Connections accepted so far.
    var connections: Int { state.withLock { $0.connections } }

    /// Lets connections through again.
    func restore() throws {
        guard state.withLock({ $0.listener == nil }) else { return }
        let listener = try Socket.listening(port)
        let ended = DispatchSemaphore(value: 0)
        state.withLock {
            $0.listener = listener
            $0.listening = ended
        }
        Thread.detachNewThread { [self] in
            while let near = listener.accepted() {
                Thread.detachNewThread { [self] in serve(near, of: listener) }
            }
            ended.signal()
        }
    }

    /// Ends all connections and refuses new ones, until `restore`.
    func cut() {
        let (listener, ended, open) = state.withLock { state in
            defer {
                state.listener = nil
                state.listening = nil
                state.open = []
            }
            return (state.listener, state.listening, state.open)
        }
        listener?.shutDown()
        ended?.wait()
        for socket in open { socket.shutDown() }
    }

    private func serve(_ near: Socket, of listener: Socket) {
        guard let far = try? Socket.loopback(target) else { return }
        let isOpen = state.withLock { state in
            guard state.listener === listener else { return false }  // cut meanwhile
            state.open += [near, far]
            state.connections += 1
            return true
        }
        guard isOpen else { return }
        let back = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            pump(from: far, to: near)
            back.signal()
        }
        pump(from: near, to: far)
        back.wait()
        state.withLock { state in state.open.removeAll { $0 === near || $0 === far } }
    }

    private func pump(from source: Socket, to sink: Socket) {
        while true {
            let bytes = source.receive()
            guard !bytes.isEmpty else { return sink.endSending() }
            // Counted before it is sent on: whoever sees the effect of a byte sees it counted.
            state.withLock { $0.bytes += bytes.count }
            guard sink.send(bytes) else { return source.shutDown() }
        }
    }
}
