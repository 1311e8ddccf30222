import JSON
import Wire

/// One of two machines that pair, and somebody between them; bytes decide what gets through, what he says instead, and what
/// the people answer.
struct PairingRun {
    private var choices: Choices
    /// The machine that is looked at, and the one that it would pair with.
    private var machine: PairingMachine
    private var other: PairingMachine
    private let isDialling: Bool
    private let isInvited: Bool
    /// What the other has said and nobody has passed on.
    private var said: [PairingMessage] = []
    private var last: PairingMessage?
    private var rightProof: PairingMessage?
    private var asked = 0
    private var isConfirmedHere = false
    private var isOver = false

    private static let steps = 40
    private static let secret = [UInt8](repeating: 7, count: PairingTranscript.secretBytes)
    private static let ours = PairingOffer(name: "ours", books: ["b", "secret"])
    private static let theirs = PairingOffer(name: "theirs", books: ["b"], isReadOnly: true)

    init(_ bytes: [UInt8]) {
        choices = Choices(bytes)
        let transcript = PairingTranscript(
            dialler: String(repeating: "a", count: 64),
            waiter: String(repeating: "b", count: 64),
            exporter: [UInt8](repeating: 1, count: PairingTranscript.exporterBytes),
            hash: Claim.hash
        )
        func nonce(_ byte: UInt8) -> [UInt8] { .init(repeating: byte, count: PairingTranscript.nonceBytes) }
        isDialling = choices.below(2) == 0
        isInvited = choices.below(2) == 0
        let way = isInvited ? PairingMachine.Way.invitation(secret: Self.secret) : .digits
        func dialling(_ offer: PairingOffer, _ byte: UInt8) -> PairingMachine {
            PairingMachine(transcript, by: way, offer: offer, nonce: nonce(byte))
        }
        func waiting(_ offer: PairingOffer, _ byte: UInt8) -> PairingMachine {
            PairingMachine(transcript, digits: offer, invitations: [Self.secret: offer], nonce: nonce(byte))
        }
        machine = isDialling ? dialling(Self.ours, 2) : waiting(Self.ours, 2)
        other = isDialling ? waiting(Self.theirs, 3) : dialling(Self.theirs, 3)
    }

    /// Traps if something is told, shown or stored that may not be.
    mutating func check() {
        hear(other.begin())
        if case .proof? = said.first { rightProof = said.first }
        let begun = machine.begin()
        perform(begun, mayOffer: isDialling && isInvited, mayPair: false)
        var steps = 0
        while !choices.isEmpty, steps < Self.steps {
            steps += 1
            step()
        }
    }

    private mutating func step() {
        switch choices.below(10) {
        case 0..<4:
            guard !said.isEmpty else { return }
            deliver(said.removeFirst())
        case 4: deliver(forged())
        case 5: if let last { deliver(last) }
        case 6: answer(true)
        case 7: answer(false)
        case 8: hear(other.answered(true))
        default:
            let frame = Frame(
                kind: choices.below(4) == 0 ? .bye : .pairing,
                payload: JSONWriter.bytes(choices.value())
            )
            do throws(WireError) { deliver(try PairingMessage.decode(frame)) } catch {
                perform(machine.broke(error), mayOffer: false, mayPair: false)
                precondition(isOver, "what cannot be read ends it")
            }
        }
    }

    private mutating func forged() -> PairingMessage {
        let byte = UInt8(choices.below(256))
        let offer = PairingOffer(name: "forged", books: ["b"])
        return switch choices.below(6) {
        case 0: .compare
        case 1: .commitment(.init(repeating: byte, count: 32))
        case 2: .nonce(.init(repeating: byte, count: PairingTranscript.nonceBytes))
        case 3: .proof(.init(repeating: byte, count: 32), offer)
        case 4: .confirm(offer)
        default: .bye(reason: "\(byte)")
        }
    }

    private mutating func answer(_ isEqual: Bool) {
        // A person answers to digits that are shown; whoever answers without any changes nothing.
        let isShown = asked > 0
        if isEqual, isShown { isConfirmedHere = true }
        let actions = machine.answered(isEqual)
        precondition(isShown || actions.isEmpty, "nothing is answered before the digits are shown")
        perform(actions, mayOffer: isConfirmedHere, mayPair: isConfirmedHere)
    }

    private mutating func deliver(_ message: PairingMessage) {
        last = message
        let actions = machine.received(message)
        switch message {
        case .confirm: perform(actions, mayOffer: false, mayPair: isConfirmedHere || isDialling && isInvited)
        case .proof(let proof, _):
            var isRight = false
            if case .proof(let right, _)? = rightProof { isRight = right == proof }
            perform(actions, mayOffer: isRight, mayPair: isRight)
        default: perform(actions, mayOffer: false, mayPair: false)
        }
    }

    private mutating func perform(_ actions: [PairingMachine.Action], mayOffer: Bool, mayPair: Bool) {
        for action in actions {
            precondition(!isOver, "what is over says nothing more")
            switch action {
            case .send(let message):
                switch message {
                case .confirm(let offer), .proof(_, let offer):
                    precondition(
                        offer == Self.ours && mayOffer,
                        "books are named to nobody before they are to be"
                    )
                default: break
                }
                hear(other.received(message))
            case .ask:
                asked += 1
                precondition(asked == 1, "digits are shown once")
                precondition(!isInvited || !isDialling, "who is invited is asked nothing")
            case .paired:
                precondition(mayPair, "nobody is trusted without a person's word, or the secret")
                isOver = true
            case .failed(_, let bye):
                if let bye {
                    precondition((try? PairingMessage.decode(bye.frame)) != nil, "a bye can be read")
                }
                isOver = true
            }
        }
    }

    private mutating func hear(_ actions: [PairingMachine.Action]) {
        for action in actions { if case .send(let message) = action { said.append(message) } }
    }
}
