/// The plain log of what users did: which values they wrote, and which of them somebody who saw them took away.
struct Oracle {
    /// Values that somebody wrote.
    private(set) var written: Set<String> = []
    /// Values that somebody who saw them removed or replaced, in a file, with a file, or by a command.
    private(set) var removed: Set<String> = []
    /// Values that were removed in this round from a living contact.
    private(set) var removedNow: Set<String> = []
    /// What each contact said that was deleted in this round, and its shared numbers.
    private(set) var deletedNow: [(said: Set<String>, numbers: Set<UInt8>)] = []
    /// What contacts said that a new database found in this round, and what their files had said before.
    private var aged: [(said: Set<String>, ever: Set<String>)] = []
    /// Shared numbers of contacts that were saved in this round, or of which somebody said something.
    private(set) var numbersNow: Set<UInt8> = []
    /// What was said by contacts that somebody touched in this round.
    private(set) var touchedNow: Set<String> = []
    /// What versions of a deleted file said: whether somebody saw what changed between them cannot be said.
    private(set) var disputedNow: Set<String> = []
    /// Values that were written in this round.
    private(set) var writtenNow: Set<String> = []
    /// Something happened in this round that may bring back what was removed (a database that went back, a backup, a
    /// restored contact).
    private(set) var mayComeBack = false
    /// Values that must not be shown any more, unless somebody writes them again.
    private(set) var buried: Set<String> = []

    /// A text was loaded, changed, and saved.
    ///
    /// - Parameter earlier: what the file said before, as far as is known: a value that an earlier version had not may
    ///   stay, since a save is compared with the version it is nearest to.
    mutating func saved(_ bytes: [UInt8], over loaded: [UInt8], earlier: [[UInt8]] = []) {
        let (old, new) = (Tokens.all(in: loaded), Tokens.all(in: bytes))
        written.formUnion(new)
        writtenNow.formUnion(new)
        removed.formUnion(old.subtracting(new))
        let always = earlier.reduce(old) { $0.intersection(Tokens.all(in: $1)) }
        removedNow.formUnion(always.subtracting(new))
        touchedNow.formUnion(old)
        numbersNow.formUnion(Tokens.sharedNumbers(in: bytes))
        buried.subtract(new)
    }

    /// A text was put where another was, which nobody looked at: all that it does not say may go.
    mutating func replaced(_ loaded: [UInt8], by bytes: [UInt8]) {
        saved(bytes, over: loaded)
        doubt()
    }

    /// A contact was deleted.
    mutating func deleted(_ bytes: [UInt8]) {
        let said = Tokens.all(in: bytes)
        removed.formUnion(said)
        deletedNow.append((said, Tokens.sharedNumbers(in: bytes)))
    }

    /// A new database found this: it goes with a deletion in this round, before or after, of this or of what the file
    /// said before.
    mutating func agedNow(_ bytes: [UInt8], earlier: [[UInt8]]) {
        let said = Tokens.all(in: bytes)
        aged.append((said, earlier.reduce(into: said) { $0.formUnion(Tokens.all(in: $1)) }))
    }

    /// A file went whose earlier versions said this.
    mutating func disputed(_ texts: [[UInt8]]) {
        for text in texts { disputedNow.formUnion(Tokens.all(in: text)) }
    }

    /// These values may be there again, removed or not.
    mutating func mayReturn(_ tokens: Set<String>) {
        buried.subtract(tokens)
        disputedNow.formUnion(tokens)
        touchedNow.formUnion(tokens)
    }

    /// What was removed in this round, or is in these texts, may be there again.
    mutating func doubt() {
        mayComeBack = true
        buried = []
    }

    /// Something was said of a shared number, which may join or split contacts.
    mutating func shared(_ number: String) {
        numbersNow.formUnion(Tokens.sharedNumbers(in: Array(number.utf8)))
    }

    mutating func touched(_ bytes: [UInt8]) { touchedNow.formUnion(Tokens.all(in: bytes)) }

    /// A person decided on deletions that were held: what these contacts say may go.
    mutating func believed(_ texts: [[UInt8]]) {
        for text in texts { removed.formUnion(Tokens.all(in: text)) }
    }

    /// What stood unseen behind a contact went with what was shown.
    mutating func tookAlong(_ tokens: Set<String>) { removed.formUnion(tokens) }

    /// All must be kept somewhere.
    var kept: Set<String> {
        let gone = aged.filter { found in deletedNow.contains { !$0.said.isDisjoint(with: found.ever) } }
        return gone.reduce(written.subtracting(removed)) { $0.subtracting($1.said) }
    }

    /// What must not be shown: buried before, or removed in this round without anybody saying otherwise.
    ///
    /// A deleted contact that became one person with another, which was written in this round, lives on with it, also
    /// when they are two again at the end.
    ///
    /// - Parameter living: what each living person says.
    func buriedNow(_ living: [Set<String>]) -> Set<String> {
        guard !mayComeBack else { return [] }
        let joined = living.filter { !$0.isDisjoint(with: writtenNow) }.reduce(into: Set()) {
            $0.formUnion($1)
        }
        let deleted = deletedNow.filter {
            $0.said.isDisjoint(with: touchedNow) && $0.said.isDisjoint(with: joined)
                && $0.numbers.isDisjoint(with: numbersNow)
        }
        .reduce(into: Set()) { $0.formUnion($1.said) }
        let disputed = deletedNow.reduce(into: disputedNow) { $0.formUnion($1.said) }
        return buried.union(removedNow.subtracting(disputed)).union(deleted)
    }

    /// Ends a round.
    mutating func endRound(_ living: [Set<String>]) {
        buried = buriedNow(living)
        removed.formUnion(written.subtracting(kept))
        aged = []
        removedNow = []
        deletedNow = []
        numbersNow = []
        disputedNow = []
        touchedNow = []
        writtenNow = []
        mayComeBack = false
    }
}
