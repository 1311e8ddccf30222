import Config
import Controllers
import EventLoop
import Storage
import TLS
import Wire

/// Pairing on this machine: the person who waits or dials, the invitations that are open, and the attempts under way.
///
/// A daemon lets a stranger's key through only while somebody waits or an invitation is open, a few at a time, and to a
/// `PairingLink` only. A person sees digits once: whatever comes of it, the waiting has ended. So whoever sits between
/// two machines has one guess in a million each time that two people pair.
final class PairingController {
    /// What this side gives to whom it pairs with.
    struct Terms {
        var books: [String]
        var access: Configuration.Peer.Access
    }

    /// What the person who pairs is told.
    enum Progress {
        /// Both sides show these digits now.
        case digits(String, device: String, address: String)
        /// `isReadOnlyThere`: what we send is refused there.
        case paired(Configuration.Peer, isReadOnlyThere: Bool)
        case failed(String)
    }

    /// An attempt that came to nothing.
    struct Failed {
        var address: String
        var device: String?
        var reason: String
        /// Milliseconds since 1970.
        var time: UInt64
    }

    /// One `pair` that is under way: it waits, or dials, or compares.
    private final class Person {
        let terms: Terms
        let report: (Progress) -> Void
        var isWaiting = false
        var link: PairingLink?
        var digits: String?
        var timer: LoopTimer?

        init(_ terms: Terms, _ report: @escaping (Progress) -> Void) {
            self.terms = terms
            self.report = report
        }
    }

    private struct OpenInvitation {
        let terms: Terms
        /// On the loop's clock, milliseconds: nobody can turn it back.
        let end: UInt64
        /// On the wall clock, milliseconds since 1970: it goes on while the machine sleeps.
        let wallEnd: UInt64
    }

    /// `pair` waits so long for the other machine, milliseconds.
    static let waitingTime: UInt64 = 300_000
    /// An invitation is good for so long, milliseconds.
    static let invitationTime: UInt64 = 600_000
    /// Invitations that are open at a time; the oldest makes room.
    static let invitationLimit = 16
    /// Strangers that are let in at a time: one network, which may come once a second (`Strangers`) and be silent for
    /// `WireLimits.loginTimeout`, keeps nobody out for long.
    static let strangerLimit = 16

    private let loop: EventLoop
    private let identity: Identity
    private let log: Log
    /// What this machine is called.
    var name: String
    /// Stores a peer, durably, and gives it with its name here.
    private let store: (Configuration.Peer) throws(StorageError) -> Configuration.Peer
    private var person: Person?
    private var invitations: [[UInt8]: OpenInvitation] = [:]
    /// The strangers who were let in.
    private var strangers: [ObjectIdentifier: PairingLink] = [:]
    /// What came to nothing last, for the status.
    private(set) var lastFailure: Failed?

    init(
        loop: EventLoop,
        identity: Identity,
        log: Log,
        name: String,
        store: @escaping (Configuration.Peer) throws(StorageError) -> Configuration.Peer
    ) {
        self.loop = loop
        self.identity = identity
        self.log = log
        self.name = name
        self.store = store
    }

    /// Whether a stranger may come in to pair, now.
    var isOpen: Bool { strangers.count < Self.strangerLimit && (isWaiting || !open().isEmpty) }

    /// Whether a person waits here for another machine.
    var isWaiting: Bool { person?.isWaiting ?? false }

    /// How many invitations are open.
    var invitationCount: Int { open().count }

    // MARK: What a person says

    /// Waits for another machine; a `pair` before it ends.
    func wait(_ terms: Terms, _ report: @escaping (Progress) -> Void) {
        let person = begin(terms, report)
        person.isWaiting = true
        person.timer = loop.after(Self.waitingTime) { [weak self, weak person] in
            guard let self, let person else { return }
            end(
                person,
                .failed("nobody came to pair within \(Self.waitingTime / 60_000) minutes; say it again")
            )
        }
    }

    /// Dials a machine that waits; a `pair` before it ends.
    func dial(
        _ address: Configuration.Peer.Address,
        by way: PairingMachine.Way,
        device: String?,
        _ terms: Terms,
        _ report: @escaping (Progress) -> Void
    ) {
        let person = begin(terms, report)
        loop.connect(host: address.host, port: address.port) { [weak self, weak person] result in
            guard let self, let person, self.person === person else {
                if case .success(let stream) = result { stream.close() }
                return
            }
            switch result {
            case .failure(let error):
                end(person, .failed("\(error.description); does contactsyncd run there and listen?"))
            case .success(let stream): dialled(stream, address, way, device, person)
            }
        }
    }

    /// The person has looked at the digits.
    ///
    /// - Returns: whether those are the digits that are shown.
    func answer(_ isEqual: Bool, to digits: String) -> Bool {
        guard let person, let link = person.link, person.digits == digits else { return false }
        link.answer(isEqual)
        return true
    }

    /// The person went away.
    func cancel() {
        guard let person else { return }
        self.person = nil
        person.timer?.cancel()
        person.link?.cancel("the person there went away")
    }

    /// Opens an invitation, which one machine may use once.
    func invite(host: String, port: UInt16, _ terms: Terms) -> Invitation {
        let secret = Random.bytes(PairingTranscript.secretBytes)
        if let oldest = open().min(by: { $0.value.end < $1.value.end }),
            invitations.count >= Self.invitationLimit
        {
            invitations[oldest.key] = nil
        }
        invitations[secret] = OpenInvitation(
            terms: terms,
            end: loop.now + Self.invitationTime,
            wallEnd: Surroundings.wallClock() + Self.invitationTime
        )
        log.info("an invitation to pair is open for \(Self.invitationTime / 60_000) minutes")
        return Invitation(host: host, port: port, device: identity.deviceID, secret: secret)
    }

    func close() {
        cancelStrangers("this daemon stops")
        cancel()
    }

    // MARK: Strangers

    /// Takes a connection that was let through the handshake to pair.
    func accept(_ session: PairingLink.Session) {
        guard isOpen else { return session.stream.close() }
        let link = PairingLink(
            session,
            ownDevice: identity.deviceID,
            loop: loop,
            events: PairingLink.Events(
                established: { [unowned self] in waitingMachine($0, $1) },
                ask: { [weak self] in self?.ask($0, $1) },
                ended: { [weak self] in self?.strangerEnded($0, $1) }
            )
        )
        strangers[ObjectIdentifier(link)] = link
        link.start(received: session.received)
    }

    private func cancelStrangers(_ reason: String, but one: PairingLink? = nil) {
        for link in strangers.values where link !== one { link.cancel(reason) }
    }

    private func waitingMachine(_ link: PairingLink, _ device: String) -> PairingMachine {
        PairingMachine(
            PairingTranscript(
                dialler: device,
                waiter: identity.deviceID,
                exporter: link.exporter,
                hash: Daemon.hash
            ),
            digits: isWaiting ? person.map { offer($0.terms) } : nil,
            invitations: open().mapValues { offer($0.terms) },
            nonce: Random.bytes(PairingTranscript.nonceBytes)
        )
    }

    private func ask(_ link: PairingLink, _ digits: String) {
        // The person may have gone since the machine was made.
        guard let person, person.link === link || person.isWaiting else {
            return link.cancel("the person there went away")
        }
        person.isWaiting = false
        person.timer?.cancel()
        person.link = link
        person.digits = digits
        person.report(.digits(digits, device: link.device ?? "", address: link.address))
    }

    private func strangerEnded(_ link: PairingLink, _ outcome: PairingLink.Outcome) {
        strangers[ObjectIdentifier(link)] = nil
        let asked = person.flatMap { $0.link === link ? $0 : nil }
        switch outcome {
        case .failure(let failure): failed(link, failure, asked)
        case .success(let (offer, secret)):
            let invited = secret.flatMap { invitations.removeValue(forKey: $0) }
            // It expired, or was used up, while this one was about to use it.
            guard let terms = invited?.terms ?? asked?.terms else {
                return failed(link, .unknownInvitation, asked)
            }
            // They know of an invitation that is used up now; who compares digits can use none.
            if invited != nil { cancelStrangers("another machine was faster", but: person?.link) }
            paired(link, offer, terms, address: nil, asked)
        }
    }

    // MARK: Dialling

    private func dialled(
        _ stream: Stream,
        _ address: Configuration.Peer.Address,
        _ way: PairingMachine.Way,
        _ device: String?,
        _ person: Person
    ) {
        stream.tune()
        let (own, terms) = (identity.deviceID, person.terms)
        let tls = TLSConnection(
            identity: identity,
            role: .client,
            applicationProtocol: PairingTranscript.applicationProtocol,
            accepts: { $0 != own && $0 == device ?? $0 }
        )
        let link = PairingLink(
            PairingLink.Session(stream: stream, tls: tls),
            ownDevice: own,
            loop: loop,
            events: PairingLink.Events(
                established: { [unowned self] in diallingMachine($0, $1, way, terms) },
                ask: { [weak self] in self?.ask($0, $1) },
                ended: { [weak self, weak person] link, outcome in
                    guard let self, let person else { return }
                    switch outcome {
                    case .failure(let failure): failed(link, failure, person)
                    case .success(let (offer, _)): paired(link, offer, person.terms, address: address, person)
                    }
                }
            )
        )
        person.link = link
        link.start()
    }

    private func diallingMachine(
        _ link: PairingLink,
        _ device: String,
        _ way: PairingMachine.Way,
        _ terms: Terms
    ) -> PairingMachine {
        PairingMachine(
            PairingTranscript(
                dialler: identity.deviceID,
                waiter: device,
                exporter: link.exporter,
                hash: Daemon.hash
            ),
            by: way,
            offer: offer(terms),
            nonce: Random.bytes(PairingTranscript.nonceBytes)
        )
    }

    // MARK: Ending

    private func begin(_ terms: Terms, _ report: @escaping (Progress) -> Void) -> Person {
        if let before = person {
            end(before, .failed("another `pair` was begun here"))
            before.link?.cancel("the other side began anew")
        }
        // It may have been promised what the one before gives.
        cancelStrangers("the other side began anew")
        let person = Person(terms, report)
        self.person = person
        return person
    }

    private func end(_ person: Person, _ last: Progress) {
        person.timer?.cancel()
        if self.person === person { self.person = nil }
        person.report(last)
    }

    private func failed(_ link: PairingLink, _ failure: PairingFailure, _ person: Person?) {
        log.warning("pairing with \(link.address) failed: \(failure); try again with `contactsync pair`")
        lastFailure = Failed(
            address: link.address,
            device: link.device,
            reason: failure.description,
            time: Surroundings.wallClock()
        )
        // One who only waited goes on waiting: nothing was shown.
        if let person, self.person === person { end(person, .failed(failure.description)) }
    }

    private func paired(
        _ link: PairingLink,
        _ theirs: PairingOffer,
        _ terms: Terms,
        address: Configuration.Peer.Address?,
        _ person: Person?
    ) {
        let shared = terms.books.filter(theirs.books.contains)
        guard let device = link.device, !shared.isEmpty else {
            return failed(link, .nothingShared(here: terms.books, there: theirs.books), person)
        }
        let name = Configuration.Peer.isName(theirs.name) ? theirs.name : "device-\(device.prefix(8))"
        let peer = Configuration.Peer(
            name: name,
            id: device,
            address: address,
            books: shared.sorted(),
            access: terms.access
        )
        do {
            let stored = try store(peer)
            log.info("paired with \(stored.name), device \(device), books \(shared.joined(separator: ", "))")
            lastFailure = nil
            if let person { end(person, .paired(stored, isReadOnlyThere: theirs.isReadOnly)) }
        } catch {
            failed(link, .lost(reason: "it cannot be stored: \(error)"), person)
        }
    }

    private func offer(_ terms: Terms) -> PairingOffer {
        PairingOffer(name: name, books: terms.books, isReadOnly: terms.access == .read)
    }

    /// The invitations that have not expired.
    private func open() -> [[UInt8]: OpenInvitation] {
        let now = Surroundings.wallClock()
        invitations = invitations.filter { $0.value.end > loop.now && $0.value.wallEnd > now }
        return invitations
    }
}
