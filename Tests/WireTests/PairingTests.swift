import JSON
import TestSupport
import Testing
import Wire

@Suite("Pairing")
struct PairingTests {
    private static let dialler = String(repeating: "a", count: 64)
    private static let waiter = String(repeating: "b", count: 64)
    private static let secret = [UInt8](repeating: 9, count: 16)
    private static let here = PairingOffer(name: "laptop", books: ["a", "b"])
    private static let there = PairingOffer(name: "desktop", books: ["b"], isReadOnly: true)

    private static func transcript(session: UInt8 = 0, dialler: String = dialler, waiter: String = waiter)
        -> PairingTranscript
    {
        PairingTranscript(
            dialler: dialler,
            waiter: waiter,
            exporter: [UInt8](repeating: session, count: 32),
            hash: .test
        )
    }

    private static func dialling(
        _ transcript: PairingTranscript = transcript(),
        by way: PairingMachine.Way = .digits,
        nonce: UInt8 = 1
    ) -> PairingMachine {
        PairingMachine(transcript, by: way, offer: here, nonce: [UInt8](repeating: nonce, count: 16))
    }

    private static func waiting(
        _ transcript: PairingTranscript = transcript(),
        digits: Bool = true,
        secrets: [[UInt8]] = [secret],
        nonce: UInt8 = 2
    ) -> PairingMachine {
        PairingMachine(
            transcript,
            digits: digits ? there : nil,
            invitations: Dictionary(uniqueKeysWithValues: secrets.map { ($0, there) }),
            nonce: [UInt8](repeating: nonce, count: 16)
        )
    }

    private static func sent(_ actions: [PairingMachine.Action]) -> [PairingMessage] {
        actions.compactMap { if case .send(let message) = $0 { message } else { nil } }
    }

    private static func digits(_ actions: [PairingMachine.Action]) -> String? {
        actions.compactMap { if case .ask(let digits) = $0 { digits } else { nil } }.first
    }

    /// Both ends brought to where people compare.
    private static func comparing(_ a: inout PairingMachine, _ b: inout PairingMachine) throws -> (
        String, String
    ) {
        let commitment = sent(b.received(sent(a.begin())[0]))[0]
        let first = sent(a.received(commitment))[0]
        let answer = b.received(first)
        let shown = a.received(sent(answer)[0])
        return (try #require(digits(shown)), try #require(digits(answer)))
    }

    @Test("by digits: both see the same six, and pair when both agree, whoever is first")
    func digits() throws {
        for isDiallerFirst in [true, false] {
            var (a, b) = (Self.dialling(), Self.waiting())
            let (atA, atB) = try Self.comparing(&a, &b)
            #expect(atA == atB && atA.utf8.count == 6 && a.isComparing && b.isComparing)
            if isDiallerFirst {
                #expect(a.answered(true) == [.send(.confirm(Self.here))])
                #expect(b.received(.confirm(Self.here)) == [])
                #expect(
                    b.answered(true) == [.send(.confirm(Self.there)), .paired(Self.here, secret: nil)]
                )
                #expect(a.received(.confirm(Self.there)) == [.paired(Self.there, secret: nil)])
            } else {
                #expect(b.answered(true) == [.send(.confirm(Self.there))])
                #expect(a.received(.confirm(Self.there)) == [])
                #expect(
                    a.answered(true) == [.send(.confirm(Self.here)), .paired(Self.there, secret: nil)]
                )
                #expect(b.received(.confirm(Self.here)) == [.paired(Self.here, secret: nil)])
            }
            #expect(a.answered(true) == [] && b.answered(false) == [])
        }
    }

    @Test("the waiting side is bound to its nonce before it sees the other's")
    func commitment() throws {
        var (a, b) = (Self.dialling(), Self.waiting())
        let commitment = Self.sent(b.received(.compare))[0]
        _ = a.begin()
        // Nothing but the commitment brings the nonce out.
        #expect(Self.sent(a.received(commitment)) == [.nonce([UInt8](repeating: 1, count: 16))])
        // Another nonce than the one committed to, such as one that makes the digits fit.
        #expect(
            a.received(.nonce([UInt8](repeating: 3, count: 16)))
                == [
                    .failed(
                        .brokenCommitment,
                        bye: .bye(reason: PairingFailure.brokenCommitment.description)
                    )
                ]
        )
        #expect(a.answered(true) == [])
    }

    @Test("digits and proofs differ with every part: session, device, nonce")
    func parts() throws {
        func shown(_ a: PairingTranscript, _ nonces: (UInt8, UInt8) = (1, 2)) throws -> String {
            var (dialling, waiting) = (
                Self.dialling(a, nonce: nonces.0), Self.waiting(a, nonce: nonces.1)
            )
            return try Self.comparing(&dialling, &waiting).0
        }
        let all = [
            try shown(Self.transcript()), try shown(Self.transcript(session: 1)),
            try shown(Self.transcript(dialler: String(repeating: "c", count: 64))),
            try shown(Self.transcript(waiter: String(repeating: "c", count: 64))),
            try shown(Self.transcript(), (3, 2)), try shown(Self.transcript(), (1, 3)),
            try shown(Self.transcript(), (2, 1)),
        ]
        #expect(Set(all).count == all.count)
    }

    @Test("either person's no ends it on both sides")
    func no() throws {
        for isDialler in [true, false] {
            var (a, b) = (Self.dialling(), Self.waiting())
            _ = try Self.comparing(&a, &b)
            // The other has agreed already.
            if isDialler { swap(&a, &b) }
            let yes = Self.sent(a.answered(true))[0]
            #expect(b.received(yes) == [])
            let bye = PairingMessage.bye(reason: "the digits were not confirmed")
            #expect(b.answered(false) == [.failed(.declinedHere, bye: bye)])
            #expect(
                a.received(bye)
                    == [.failed(.endedThere(reason: "the digits were not confirmed"), bye: nil)]
            )
            #expect(b.answered(true) == [] && a.received(yes) == [])
        }
    }

    @Test("by invitation: without a question, for the right secret in this very session only")
    func invitation() throws {
        var (a, b) = (Self.dialling(by: .invitation(secret: Self.secret)), Self.waiting(digits: false))
        let proof = Self.sent(a.begin())[0]
        let answer = b.received(proof)
        #expect(answer == [.send(.confirm(Self.there)), .paired(Self.here, secret: Self.secret)])
        #expect(a.received(.confirm(Self.there)) == [.paired(Self.there, secret: nil)])
        // Wrong, used up, seen in another session, and by another device.
        let wrong = [UInt8](repeating: 8, count: 16)
        let others: [(PairingMachine, PairingMessage)] = [
            (Self.waiting(secrets: [wrong]), proof), (Self.waiting(secrets: []), proof),
            (Self.waiting(Self.transcript(session: 1)), proof),
            (Self.waiting(Self.transcript(dialler: String(repeating: "c", count: 64))), proof),
        ]
        for (machine, message) in others {
            var machine = machine
            let refusal = PairingMessage.bye(reason: PairingFailure.unknownInvitation.description)
            #expect(machine.received(message) == [.failed(.unknownInvitation, bye: refusal)])
        }
    }

    @Test("digits are not compared where only an invitation is open")
    func nobody() {
        var machine = Self.waiting(digits: false)
        guard case .failed(.nobodyWaits, bye: .bye)? = machine.received(.compare).first else {
            Issue.record("not refused")
            return
        }
    }

    /// Every message; those that would be right in a place are right there only.
    private static let messages: [PairingMessage] = [
        .compare, .commitment([UInt8](repeating: 7, count: 32)), .nonce([UInt8](repeating: 7, count: 16)),
        .proof([UInt8](repeating: 7, count: 32), here), .confirm(here),
    ]

    @Test("every message in every wrong place ends it, and no later one brings it back")
    func order() throws {
        var (asking, revealing, proving) = (
            Self.dialling(), Self.dialling(), Self.dialling(by: .invitation(secret: Self.secret))
        )
        _ = (asking.begin(), revealing.begin(), proving.begin())
        var (committed, answered) = (Self.waiting(), Self.waiting())
        let commitment = Self.sent(committed.received(.compare))[0]
        _ = revealing.received(commitment)
        _ = (
            answered.received(.compare), answered.received(Self.messages[2]),
            answered.received(Self.messages[4])
        )
        // A machine, and which of `messages` it may get there.
        let places: [(String, PairingMachine, Set<Int>)] = [
            ("dialled", Self.dialling(), []), ("asking", asking, [1]), ("revealing", revealing, [2]),
            ("proving", proving, [4]), ("waiting", Self.waiting(), [0, 3]), ("committed", committed, [2]),
            ("comparing, the other has agreed", answered, []),
        ]
        for (name, machine, allowed) in places {
            for (at, message) in Self.messages.enumerated() where !allowed.contains(at) {
                var machine = machine
                guard case .failed(.outOfTurn, bye: .bye)? = machine.received(message).first else {
                    Issue.record("\(name) took \(message)")
                    continue
                }
                for later in Self.messages { #expect(machine.received(later) == []) }
                #expect(machine.answered(true) == [] && machine.begin() == [])
            }
            var left = machine
            #expect(
                left.received(.bye(reason: "gone")) == [.failed(.endedThere(reason: "gone"), bye: nil)]
            )
        }
        // Nobody pairs by an answer that was not asked for.
        for (_, machine, _) in places where !machine.isComparing {
            var machine = machine
            #expect(machine.answered(true) == [])
        }
    }

    @Test("messages come back as they were sent, and nothing else is read")
    func coding() throws {
        for message in Self.messages + [.bye(reason: "why")] {
            #expect(try PairingMessage.decode(message.frame) == message)
        }
        let bad = [
            "[]", "{}", #"{"step": "nonce"}"#, #"{"step": "nonce", "value": "00"}"#, #"{"step": "other"}"#,
            #"{"step": "nonce", "value": "0000000000000000000000000000000G"}"#,
            #"{"step": "confirm", "offer": {"name": 1, "books": [], "readOnly": true}}"#,
            #"{"step": "confirm", "offer": {"name": "a", "books": [[]], "readOnly": true}}"#,
            #"{"step": "confirm", "offer": {"name": "a", "books": []}}"#, #"{"step": [[[[[]]]]]}"#,
        ]
        for text in bad {
            #expect(throws: WireError.self) {
                try PairingMessage.decode(Frame(kind: .pairing, payload: Array(text.utf8)))
            }
        }
        #expect(throws: WireError.self) {
            try PairingMessage.decode(Frame(kind: .hello, payload: Array("{}".utf8)))
        }
    }

    @Test("an invitation comes back from its text, and nothing like it is read")
    func text() throws {
        for host in ["desktop.lan", "192.0.2.7", "2001:db8::7"] {
            let invitation = Invitation(host: host, port: 8749, device: Self.waiter, secret: Self.secret)
            #expect(Invitation(invitation.text) == invitation)
        }
        let text = Invitation(host: "a", port: 1, device: Self.waiter, secret: Self.secret).text
        for bad in [
            "", "contactsync://", text + "0", String(text.dropLast()), text.uppercased(), text + "/",
            text.replacing("a:1", with: "a"), text.replacing("a:1", with: ":1"),
            text.replacing("a:1", with: "a:0"), text.replacing("contactsync", with: "https"),
        ] { #expect(Invitation(bad) == nil, "\(bad)") }
    }
}
