/// What may be said on a connection before both sides know each other (DESIGN.md 7).
///
/// TLS has shown the peer's device ID; then each side says hello, and whoever has read the other's is connected.
/// The runner decides outside which of two connections to one device stays (`ConnectionChoice`).
package struct HandshakeMachine: Sendable {
    /// What to do now.
    package enum Action: Hashable, Sendable {
        /// Send our hello.
        case send(Message)
        /// The peer's hello was read: raise the frame limits, begin.
        case loggedIn(Login)
        /// Send the message, then close.
        case refuse(Refusal, bye: Message)
        /// The peer closes, for the reason it gives; `isRefusal`: because we are no peer there.
        case closedByPeer(reason: String, isRefusal: Bool)
    }

    /// Why a connection is not wanted.
    package enum Refusal: Hashable, Sendable {
        /// The peer shows our own key.
        case ownDevice
        /// No version is spoken by both.
        case noCommonVersion(theirs: [Int])

        /// For people.
        package var sentence: String {
            switch self {
            case .ownDevice: "this machine itself answers"
            case .noCommonVersion(let theirs):
                // As the bye says it, and what only we know.
                "no common protocol version, ours are [\(Hello.version)], its are \(theirs.prefix(8))"
            }
        }
    }

    /// Who logged in.
    package struct Login: Hashable, Sendable {
        /// The peer's device ID, as TLS has proved it.
        package let device: String
        /// What the peer says of itself.
        package let hello: Hello
        /// The highest version that both speak.
        package let version: Int
    }

    private enum State: Hashable, Sendable {
        /// TLS is not done.
        case connecting
        /// Our hello, which named these versions, is sent, the peer's not read.
        case greeting(device: String, versions: [Int])
        /// The peer's hello was read.
        case loggedIn
        /// Refused or left.
        case closed
    }

    private let ownDevice: String
    private var state = State.connecting

    package init(ownDevice: String) { self.ownDevice = ownDevice }

    /// Whether the peer's hello was read.
    package var isLoggedIn: Bool { state == .loggedIn }

    /// TLS stands, with this device at the other end; `hello` is what it may hear.
    package mutating func established(device: String, hello: Hello) -> Action {
        precondition(state == .connecting, "TLS is established once")
        guard device != ownDevice else {
            state = .closed
            return .refuse(.ownDevice, bye: .bye(reason: "this is the device itself"))
        }
        state = .greeting(device: device, versions: hello.versions)
        return .send(.hello(hello))
    }

    /// A message came before login.
    ///
    /// - Throws: `unexpected` for anything but hello and bye; the connection is to be closed then.
    package mutating func received(_ message: Message) throws(WireError) -> Action {
        guard case .greeting(let device, let versions) = state else {
            preconditionFailure("messages are handed to the handshake only while it lasts")
        }
        switch message {
        case .hello(let hello):
            guard let version = Set(hello.versions).intersection(versions).max() else {
                state = .closed
                return .refuse(
                    .noCommonVersion(theirs: hello.versions),
                    bye: .bye(reason: "no common protocol version, ours are \(versions)")
                )
            }
            state = .loggedIn
            return .loggedIn(Login(device: device, hello: hello, version: version))
        case .bye(let reason, let isRefusal):
            state = .closed
            return .closedByPeer(reason: reason, isRefusal: isRefusal)
        default:
            state = .closed
            throw .unexpected(message.kind, reason: "hello comes first")
        }
    }
}
