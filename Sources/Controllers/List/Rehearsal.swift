import AddressBook
import Replication

/// A book as it would be: cards are added to it, and nothing is written.
final class Rehearsal {
    private let list: ListController
    private(set) var index: PersonsIndex
    private var records: [UID: Record] = [:]
    private var changed: Set<UID> = []
    private var counter: UInt64 = 0

    /// The book as it is now.
    init(of list: ListController) {
        list.settle()
        self.list = list
        index = list.index
    }

    /// A record as it would be.
    func record(_ uid: UID) -> Record? { records[uid] ?? list.record(uid) }

    /// Writes as an editor does.
    func write(_ body: (inout RecordEditor) -> Void) {
        var editor = RecordEditor(
            time: HybridTime(bits: 1),
            session: "",
            hash: list.hash,
            mint: { [unowned self] in
                counter += 1
                return Dot(replica: ReplicaID(0), counter: counter)
            },
            load: { [unowned self] in record($0) }
        )
        body(&editor)
        for uid in editor.changed { records[uid] = editor.record(uid) }
        changed.formUnion(editor.changed)
    }

    /// Judges anew who is the same.
    func settle() {
        _ = index.apply(
            changed.compactMap { uid in records[uid].map { (uid, $0.isAlive ? Profile($0) : nil) } }
        )
        changed = []
    }
}
