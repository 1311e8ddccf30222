import Contacts
import JSON
import VCard

/// Brings the contacts of files to the daemon, some at a time: it answers others meanwhile, and no line grows too long.
struct ImportRun: ~Copyable {
    /// A portion: so many cards, or after so many bytes.
    private static let cardsAtOnce = 100
    private static let bytesAtOnce = 256 << 10
    /// The largest card, in bytes: what a file of the book may hold.
    private static let cardBytes = JSONDocument.maxBytes

    private let parameters: JSONObject
    private let total: Int
    private var connection: DaemonConnection
    private var progress: Progress?
    private(set) var tally = ImportTally()
    /// What was read and has not gone yet, and where it was.
    private var waiting: [(card: JSONValue, file: String, item: Int, line: Int)] = []
    private var waitingBytes = 0

    /// - Parameters:
    ///   - parameters: `book`, and `dry-run`.
    ///   - progress: where a bar is drawn; nil: nowhere.
    init(_ connection: consuming DaemonConnection, _ parameters: JSONObject, total: Int, progress: Progress?)
    {
        self.connection = connection
        self.parameters = parameters
        self.total = total
        self.progress = progress
    }

    /// Takes all contacts of a file, in order.
    mutating func take(_ file: ImportFile) throws(Failure) {
        for (place, (line, item)) in file.items.enumerated() {
            switch item {
            case .flaw(let reason): skip(file.name, place, line, reason)
            case .card(let card): try take(card, file.name, place, line)
            case .vcard(let vcard):
                let (card, losses) = vcard.card
                for loss in losses {
                    Output.error(
                        "\(Escaping.escaped("\(file.name):\(line): \(loss.property): \(loss.reason)"))\n"
                    )
                }
                do throws(CardError) { _ = try ContactItem.read(.object(card)) } catch {
                    skip(file.name, place, line, error.reason)
                    continue
                }
                try take(card, file.name, place, line)
            }
        }
    }

    /// Sends what is left.
    mutating func finish() throws(Failure) {
        try send()
        progress?.clear()
    }

    private mutating func take(_ card: JSONObject, _ file: String, _ item: Int, _ line: Int) throws(Failure) {
        let bytes = JSONWriter.bytes(.object(card)).count
        guard bytes <= Self.cardBytes else {
            return skip(
                file,
                item,
                line,
                "the contact is larger than \(Self.cardBytes >> 20) MiB; make its photo smaller"
            )
        }
        if waitingBytes + bytes > Self.bytesAtOnce { try send() }
        waiting.append((.object(card), file, item, line))
        waitingBytes += bytes
        if waiting.count == Self.cardsAtOnce { try send() }
    }

    private mutating func skip(_ file: String, _ item: Int, _ line: Int, _ reason: String) {
        tally.skip(ImportTally.Skipped(file: file, item: item, line: line, reason: reason))
    }

    private mutating func send() throws(Failure) {
        guard !waiting.isEmpty else { return }
        var asked = parameters
        asked["cards"] = .array(waiting.map(\.card))
        let result = try connection.ask("import", asked, patience: 120)
        tally.add(result)
        for entry in result.list("skipped") {
            guard let at = entry.number("item"), waiting.indices.contains(Int(at)) else { continue }
            let contact = waiting[Int(at)]
            skip(contact.file, contact.item, contact.line, entry.text("reason"))
        }
        waiting = []
        waitingBytes = 0
        progress?.show(done: Int(tally.count), of: total)
    }
}
