package import AddressBook
package import Contacts
package import JSON
package import Replication
package import Wire

/// Takes what add controllers have built.
package protocol AddControllerDelegate: AnyObject {
    /// An origin added something.
    func addController(_ controller: AddController, didAdd addition: Addition) -> Receipt
}

/// The door through which every addition comes, one for each session.
///
/// It builds the model value through one factory with two doors (a card as text, whose numbers get keys; a peer's
/// record, checked and taken as it is), hands it to its delegate, and is done. It never knows who the list is.
package final class AddController {
    /// Whose list it adds to, for people.
    package private(set) var title = ""
    /// Held weakly: the list owns its add controllers, not the other way round.
    package private(set) weak var delegate: (any AddControllerDelegate)?
    private var preparedSession: SessionID?
    private let factory: AdditionFactory

    /// - Parameter factory: builds the values.
    package init(factory: AdditionFactory) {
        self.factory = factory
    }

    /// The session it was prepared for. Asking before the segue is our own fault and traps.
    package var session: SessionID {
        guard let preparedSession else { preconditionFailure("an add controller is used after its segue") }
        return preparedSession
    }

    /// Set by the segue, once.
    func arrive(_ session: SessionID, title: String, delegate: any AddControllerDelegate) {
        precondition(preparedSession == nil, "an add controller is prepared once")
        preparedSession = session
        self.title = title
        self.delegate = delegate
    }

    /// What a file says, with its numbers keyed as this machine reads them.
    func reading(_ bytes: [UInt8]) -> FileReading { factory.reading(bytes) }

    /// The same, on any thread.
    var detachedReading: @Sendable ([UInt8]) -> FileReading { factory.detachedReading }

    /// A card with its numbers keyed, as this machine reads it.
    package func saved(_ item: ContactItem) -> SavedCard { factory.card(item) }

    /// Adds a card under a uid.
    @discardableResult
    package func add(_ saved: SavedCard, uid: UID, isFirstScan: Bool = false) -> Receipt {
        hand(.card(uid, saved, isFirstScan: isFirstScan))
    }

    /// Adds an edit of a card.
    @discardableResult
    package func add(_ edit: CardEdit) -> Receipt { hand(.edit(edit)) }

    /// Adds the absence of a person's file.
    @discardableResult
    package func addAbsence(_ alive: [UID: [Dot]]) -> Receipt { hand(.absence(alive)) }

    /// A peer's records, checked and taken as they are; on any thread. Throws `RecordError` for the first that is none.
    package var detachedRecords: @Sendable ([RecordForm]) throws(RecordError) -> [Record] {
        factory.detachedRecords
    }

    /// Adds a peer's records, as `detachedRecords` gave them.
    @discardableResult
    package func add(peerRecords records: [Record]) -> Receipt { hand(.records(records)) }

    /// Adds what a person said.
    @discardableResult
    package func add(_ command: Command) -> Receipt { hand(.command(command)) }

    private func hand(_ content: Addition.Content) -> Receipt {
        let addition = Addition(content: content, session: session)
        return delegate?.addController(self, didAdd: addition) ?? Receipt()
    }
}

/// Builds model values: the one place where text becomes a card with keys, and a peer's JSON a record.
package struct AdditionFactory {
    private let region: String?
    private let phones: any PhoneKeying
    private let hash: HashFunction

    /// - Parameter region: how national numbers are read; nil: only international ones have a key.
    package init(region: String?, phones: any PhoneKeying, hash: HashFunction) {
        self.region = region
        self.phones = phones
        self.hash = hash
    }

    /// The key of a number as this book reads it.
    package func key(_ number: String) -> String? { phones.key(of: number, region: region) }

    /// The bytes of a file, whose numbers get keys.
    func reading(_ bytes: [UInt8]) -> FileReading { FileReading(bytes, hash: hash, phoneKey: key) }

    /// The same, on any thread.
    var detachedReading: @Sendable ([UInt8]) -> FileReading {
        let (region, phones, hash) = (region, phones.forgetful, hash)
        return { FileReading($0, hash: hash) { phones.key(of: $0, region: region) } }
    }

    /// A card as text, whose numbers get keys.
    func card(_ item: ContactItem) -> SavedCard {
        SavedCard(item, hash: hash, phoneKey: key)
    }

    /// A peer's records, checked and taken as they are; on any thread.
    var detachedRecords: @Sendable ([RecordForm]) throws(RecordError) -> [Record] {
        { forms throws(RecordError) in
            var out: [Record] = []
            out.reserveCapacity(forms.count)
            for form in forms {
                let record = try form.decoded()
                if let flaw = RecordLimits.flaw(in: record) { throw RecordError(reason: flaw) }
                out.append(record)
            }
            return out
        }
    }
}
