import TestSupport

/// A service manager: what a daemon tells it, in order.
final class Manager {
    private let receiver: DatagramReceiver
    /// All that was said so far, a notice a message.
    private(set) var heard: [String] = []
    private var taken = 0

    init(_ world: World) throws {
        guard let receiver = DatagramReceiver(world.root + "/notify") else {
            throw Failure("no socket to be notified on")
        }
        self.receiver = receiver
    }

    var path: String { receiver.path }

    /// Takes what was said since.
    func listen() {
        while let text = receiver.nextText() { heard.append(text) }
    }

    /// Waits for a message after the last one that was waited for, and returns it.
    @discardableResult
    func hear(_ claim: String, where isIt: (String) -> Bool) throws -> String {
        var found: Int?
        try eventually(claim) {
            listen()
            found = heard[taken...].firstIndex(where: isIt)
            return found == nil ? "it heard \(heard[taken...].suffix(5))" : nil
        }
        guard let found else { throw Failure(claim) }
        taken = found + 1
        return heard[found]
    }
}
