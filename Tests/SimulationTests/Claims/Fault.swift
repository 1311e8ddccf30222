import AddressBook
import Replication
import Wire

/// A fault that the simulator plants in its own ports, to see that it would be found.
class Fault {
    /// Replica of a start; nil: a random one, as it should be.
    func start(of machine: String) -> UInt64? { nil }
    /// The bases that the store gives.
    func bases(_ rows: [BaseRow], _ uid: UID, _ state: StoreState) -> [BaseRow] { rows }
    /// By what the store says at a start who a record is.
    func profile(of row: RecordRow, _ state: StoreState) -> [UInt8] { row.profile }
    /// What is committed of a batch.
    func batch(_ batch: AddressBook.Batch, _ state: StoreState) -> AddressBook.Batch { batch }
    /// What is durable too early.
    func beforeCommit(_ batch: AddressBook.Batch, _ state: inout StoreState, start: UInt64) {}
    /// Whether a crash leaves a part of a batch.
    func tears(_ batch: AddressBook.Batch, _ state: inout StoreState, start: UInt64) -> Bool { false }
    /// What the folder says of a file's stamp.
    func stamp(_ stamp: FileStamp) -> FileStamp { stamp }
    /// What arrives of a message.
    func messages(_ message: Message) -> [Message] { [message] }
    /// Whether writes are told to be durable before they are.
    var settlesEarly: Bool { false }
    /// Whether writes and removals do not look what they replace.
    var overwrites: Bool { false }
}
