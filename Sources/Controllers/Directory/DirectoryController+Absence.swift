import AddressBook
import JSON
package import Replication

/// Deletions: when absence is believed (DESIGN.md 5, "Deletions").
extension DirectoryController {
    /// Looks a second time at what is missing, and deletes what has stayed away, if the brake lets it.
    func confirmAbsences() {
        guard case .ours = standing, unread.isEmpty, !isScanning else { return }
        // A person has decided: what is missing now is what was decided on.
        if let decision { return carryOut(decision) }
        // What was held may have been deleted by somebody else meanwhile.
        if hold != nil, pendingDeletions.isEmpty { hold = nil }
        // While more goes missing all of it waits, so that the brake sees it together.
        let time = scheduler.uptime
        guard hold == nil, !gone.isEmpty, gone.allSatisfy({ $0.due <= time }) else { return }
        // Before anything is believed to be deleted: is this the directory that held it?
        recognise(atStart: false)
        guard case .ours = standing else { return }
        var confirmed: [Gone] = []
        for entry in gone {
            if entry.isWholeFile, (try? folder.stat(entry.name.text)) != nil, files[entry.name] == nil {
                unread.insert(entry.name)
                continue
            }
            confirmed.append(entry)
        }
        guard !confirmed.isEmpty else { return }
        switch brake.judge(pending: deleted(by: confirmed), now: Int64(now), count: list.index.count) {
        case .hold(let reason):
            hold = sentence(reason)
            stageBrake()
        case .believe:
            stageBrake()
            believe(confirmed)
        }
    }

    /// Deletes, or just forgets where another file still holds the person.
    func believe(_ entries: [Gone]) {
        for entry in entries {
            gone.removeAll { $0.name == entry.name && $0.item == entry.item }
            unplanned.formUnion(entry.item.uids)
            let ended = Set(ended(by: entry).flatMap { $0 })
            guard !ended.isEmpty,
                let base = bases(entry.item.uid).first(where: { $0.uids == entry.item.uids })
                    ?? bases(entry.item.uid).first
            else { continue }
            add.addAbsence(base.alive.filter { ended.contains($0.key) })
        }
        storeMissing(Set(entries.map(\.name)))
    }

    /// Notes that something is missing from files no longer; a file that is gone is forgotten with the last of it.
    func storeMissing(_ names: Set<ExactString>) {
        for name in names {
            if files[name] != nil || inFlight[name] != nil {
                store(name, files[name], intention: inFlight[name])
            } else if !gone.contains(where: { $0.name == name }) {
                store(name, nil)
            }
        }
    }

    /// The persons that are deleted with what is gone: no file of the book holds any of their records. What the file
    /// showed as one may be several by now, some with files of their own.
    private func ended(by entry: Gone) -> [[UID]] {
        Set(entry.item.uids.compactMap { list.index.person(of: $0) }).filter { person in
            !person.contains { files.isShown($0) }
        }
    }

    /// The persons whose deletion waits.
    package var pendingDeletions: [UID] { deleted(by: gone) }

    /// The persons, by their cards' uids, that end if these absences are believed.
    private func deleted(by entries: [Gone]) -> [UID] {
        Set(entries.flatMap { ended(by: $0) }.map { $0[0] }).sorted()
    }

    /// A person decides on a held book: deletes what is missing, or writes it anew.
    ///
    /// What is missing is known only when the directory has been looked at, so that comes first: where another one
    /// lay in its place nothing was read there.
    package func resume(deleting: Bool) {
        hold = nil
        decision = deleting ? .delete : .restore
        if case .notOurs = standing { adopt() }
        rescan()
        // Nothing was decided about a directory that cannot be had; what comes later is another question.
        if standing != .ours { decision = nil }
    }

    private func carryOut(_ decision: Decision) {
        self.decision = nil
        hold = nil
        switch decision {
        case .delete:
            brake.decided()
            believe(gone)
        case .restore:
            let back = gone
            gone = []
            storeMissing(Set(back.map(\.name)))
            for entry in back { unplanned.formUnion(entry.item.uids) }
        }
        stageBrake()
    }

    /// When files come back a hold ends by itself: what is still missing then is judged anew, as if it had gone now.
    /// They come back one after the other, and the last few of many must not pass for a handful of deletions.
    func releaseIfBack() {
        guard hold != nil else { return }
        hold = nil
        let due = scheduler.uptime + Self.absenceDelay
        for at in gone.indices { gone[at].due = due }
    }

    /// Notes since when the book is held.
    func noteHeld() {
        let isHeld = standing != .ours || hold != nil
        // After a start what is missing has to be seen twice before it is held again; that is the same hold still.
        guard isHeld ? heldSince == nil : heldSince != nil && isIdle else { return }
        heldSince = isHeld ? now : nil
        tellHeld()
        stage("directory", "held", heldSince.map { .number($0) })
    }

    private func stageBrake() { stage("directory", "brake", brake.state) }

    private func sentence(_ reason: Brake.Reason) -> String {
        let what =
            reason.isAll
            ? "all \(reason.deletions) contacts" : "\(reason.deletions) of \(reason.held) contacts"
        return
            "the files of \(what) are gone; nothing is deleted until you say `contactsync resume \(list.settings.name) --delete` or `--restore`"
    }

    // MARK: Is it ours?

    /// Compares the directory with the one we know.
    ///
    /// A changed inode or device is accepted when no file is missing; a directory is made at the first start only.
    func recognise(atStart: Bool) {
        let found: FolderIdentity?
        do {
            if identity == nil, try folder.identity() == nil { try folder.make() }
            found = try folder.identity()
        } catch {
            standing = .notOurs(reason: error.reason)
            return
        }
        guard let found else {
            standing = .notOurs(
                reason:
                    "the directory is missing; is its disk mounted? `contactsync resume \(list.settings.name)` decides"
            )
            return
        }
        if let known = identity {
            if found == known {
                let wasAway = standing != .ours
                standing = .ours
                if wasAway, !atStart { rescan() }
                return
            }
            guard isNothingMissing else {
                standing = .notOurs(
                    reason:
                        "another directory lies in its place (or its marker is gone) and files are missing;"
                        + " is its disk mounted? `contactsync resume \(list.settings.name)` decides"
                )
                return
            }
        }
        adopt()
    }

    /// Takes the directory that lies there for the book's.
    private func adopt() {
        do {
            if try folder.identity() == nil { try folder.make() }
            guard let found = try folder.identity() else { return }
            if found.marker == nil || identity.map({ $0.marker != found.marker }) ?? false {
                try folder.writeMarker(identity?.marker ?? found.marker ?? "\(list.replica.id.hex)\n")
            }
            identity = try folder.identity()
        } catch {
            standing = .notOurs(reason: error.reason)
            return
        }
        standing = .ours
        if let identity { stage("directory", "identity", identity.json) }
    }

    private var isNothingMissing: Bool {
        guard let listing = try? folder.list() else { return false }
        let there = Set(listing.entries.map { ExactString($0.name) })
        return files.missing(from: listing.entries).isEmpty
            && gone.allSatisfy { !$0.isWholeFile || there.contains($0.name) }
    }
}
