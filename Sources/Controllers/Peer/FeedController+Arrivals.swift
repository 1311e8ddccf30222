import AddressBook
import Replication
import Wire

/// Taking in what the peer sends: many records are read on another thread and added some in a turn of the loop, so that
/// whoever asks meanwhile is answered.
extension FeedController {
    /// Something that was delivered.
    struct Arrival {
        let delivery: Delivery
        /// Its records, nil while they are being read.
        var records: [Record]?
        /// How many of them are added.
        var added = 0
        /// Whether others are held or refused here since it began.
        var heldChanged = false

        /// How many come next, of so many that may. Deletions are judged together, and all at once if there are any: the
        /// brake is to see how many they are before the first is believed.
        func end(_ most: Int) -> Int {
            guard let records else { return 0 }
            return records.allSatisfy(\.isAlive) ? min(records.count, added + most) : records.count
        }
    }

    /// Whether the next turn should come at once.
    package var hasWork: Bool { arrivals.first?.records != nil && mayTake() }

    func arrive(_ delivery: Delivery) {
        arrivals.append(Arrival(delivery: delivery))
        let (forms, read) = (delivery.records, list.addController(for: session).detachedRecords)
        let work = { @Sendable in Result { () throws(RecordError) in try read(forms) } }
        guard let worker = list.worker, forms.count > fewRecords else {
            return arrived(delivery.ticket, work())
        }
        worker.work(work) { [weak self] in self?.arrived(delivery.ticket, $0) }
    }

    private func arrived(_ ticket: UInt64, _ result: Result<[Record], RecordError>) {
        guard isOpen, let at = arrivals.firstIndex(where: { $0.delivery.ticket == ticket }) else { return }
        do throws(RecordError) { arrivals[at].records = try result.get() } catch {
            return fail("a record that is none: \(error.reason)")
        }
        // Others wait for their turn.
        if at == 0, arrivals[0].delivery.records.count <= fewRecords { takeSome() }
        list.wake()
    }

    /// Adds what may be added in one turn, in order.
    func takeSome() {
        var left = recordsPerTurn
        while isOpen, left > 0, let first = arrivals.first, let records = first.records, mayTake() {
            let end = first.end(left)
            let part = Array(records[first.added..<end])
            left -= max(1, part.count)
            let receipt = list.addController(for: session).add(peerRecords: part)
            if let fault = receipt.fault { return fail(fault) }
            arrivals[0].added = end
            if receipt.heldChanged { arrivals[0].heldChanged = true }
            if end == records.count { taken(arrivals.removeFirst()) }
        }
    }

    /// All of it is added: who is held or refused is named to the peer, and it is acknowledged once it is durable.
    private func taken(_ arrival: Arrival) {
        let delivery = arrival.delivery
        if arrival.heldChanged { nameRefused() }
        guard isOpen else { return }
        if let position = delivery.position {
            committer.stage {
                $0.checkpoints.append(
                    (list.settings.id, peer, Checkpoint(seq: position.seq, mark: position.mark))
                )
            }
        }
        committer.afterCommit { [weak self] in
            guard let self, isOpen else { return }
            perform(machine.committed(delivery.ticket))
        }
    }
}
