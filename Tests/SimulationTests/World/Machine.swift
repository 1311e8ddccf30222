import AddressBook
import Controllers
import Replication

/// One machine: what outlives a crash, and the daemon while it runs.
final class Machine {
    let name: String
    let device: String
    let folder: MemoryFolder
    let deletionLimit: Int
    /// The database as the last life left it.
    private var state = StoreState()
    private var backups: [StoreState] = []
    private(set) var life: Life?
    /// How wrong its clock is, milliseconds.
    var clockOffset: Int64 = 0
    /// Files that are open in an editor: the name, the bytes it loaded, and which version that was.
    var editors: [(name: String, bytes: [UInt8], version: Int)] = []
    /// Names whose save was begun and not ended, with what it will be.
    var halfWritten: [String: [UInt8]] = [:]

    /// Where virtual time begins: 2023.
    static let epoch: Int64 = 1_700_000_000_000

    init(_ name: String, folder: MemoryFolder, deletionLimit: Int) {
        self.name = name
        device = String(repeating: name, count: 16)
        self.folder = folder
        self.deletionLimit = deletionLimit
    }

    func clock(_ now: UInt64) -> UInt64 { UInt64(max(1, Self.epoch + clockOffset + Int64(now))) }

    var stored: StoreState { life?.store.state ?? state }

    func start(_ world: World) throws {
        guard life == nil else { return }
        life = try Life(self, state, world: world)
    }

    /// Whether something is on its way to the database or the disk.
    var isBusy: Bool { life?.store.isCommitting ?? false || folder.isUnflushed }

    func crash(powerCut: Bool) {
        guard let life else { return }
        life.crash()
        state = life.store.state
        self.life = nil
        if powerCut { folder.powerCut() }
    }

    func backUp() { backups.append(stored) }

    /// The database is an older copy now, or none at all. The daemon must not run.
    ///
    /// - Returns: whether there was a copy.
    func rollBack(_ pick: UInt64?) -> Bool {
        precondition(life == nil, "a database is exchanged while no daemon runs")
        guard let pick else {
            state = StoreState()
            backups = []
            return true
        }
        guard !backups.isEmpty else { return false }
        state = backups[Int(pick % UInt64(backups.count))]
        return true
    }
}
