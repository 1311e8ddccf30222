import TLS
import AddressBook
import Config
import Controllers
import EventLoop
import JSON
import Replication
import Wire

/// What a status shows.
extension Daemon {
    func status() -> JSONValue {
        reserve.look()
        return [
            "version": .string(Product.version), "name": .string(configuration.name),
            "device": .string(identity.deviceID), "uptime": .number(uptime),
            "inSync": .bool(isInSync),
            "listening": hub.port.map { .number($0) } ?? .null,
            "replica": .string(replica.id.hex),
            "failure": committer.failure.map { .string($0.reason) } ?? .null,
            "shortage": reserve.shortage.map { .string($0) } ?? .null,
            "books": .array(books.map(bookStatus)), "peers": peersStatus(),
            "pairing": pairingStatus(), "unpaired": unpairedStatus(),
            "hooks": hooks.status,
            "state": .string(configuration.state), "work": works.json, "config": .string(configuration.file),
            "process": .number(Surroundings.process),
            "time": .string(Timestamp.text(Surroundings.wallClock())),
            "refused": refusedStatus(), "turnedAway": .number(hub.strangers.turnedAway),
        ]
    }

    /// Whether every configured peer is connected and both sides hold the same.
    var isInSync: Bool {
        books.allSatisfy(\.isIdle) && committer.isIdle
            && hub.peers.values.allSatisfy { peer in
                guard let link = peer.link else { return false }
                return peer.configuration.books.allSatisfy { link.feeds[$0]?.isCaughtUp ?? false }
            }
    }

    func peersStatus() -> JSONValue {
        .array(
            hub.peers.values.sorted { $0.configuration.name < $1.configuration.name }.map { peer in
                var books = JSONObject()
                for name in peer.configuration.books {
                    let feed = peer.link?.feeds[name]
                    books[name] = [
                        "toSend": feed?.toSend.map { .number($0) } ?? .null,
                        "toReceive": feed?.toReceive.map { .number($0) } ?? .null,
                        "refusedHere": .number(feed?.refusedCounts.here ?? 0),
                        "refusedThere": .number(feed?.refusedCounts.there ?? 0),
                        "readOnlyThere": feed.map { .bool($0.isReadOnlyThere) } ?? .null,
                        "shared": .bool(feed != nil), "different": .number(feed?.different.count ?? 0),
                    ]
                }
                return [
                    "name": .string(peer.configuration.name), "device": .string(peer.configuration.id),
                    "state": .string(peer.state), "session": peer.session.map { .string($0.text) } ?? .null,
                    "title": .string("\(peer.configuration.name)'s contact list"), "books": .object(books),
                    "access": .string(peer.configuration.access.rawValue),
                    "listed": .string(peer.configuration.line > 0 ? "configuration" : "pairing"),
                    "lastError": peer.lastError.map { .string($0) } ?? .null,
                    "trouble": peer.trouble.map { .string($0.rawValue) } ?? .null,
                    "address": peer.configuration.address.map { .string($0.text) } ?? .null,
                    "line": .number(peer.configuration.line),
                    "since": .string(Timestamp.text(peer.since)),
                    "heard": peer.link.map { .string(Timestamp.text($0.heard)) } ?? .null,
                    "clock": peer.link?.clockAhead.map { .number($0) } ?? .null,
                ]
            }
        )
    }

    private func bookStatus(_ book: Book) -> JSONValue {
        let directory = book.directory
        var out = JSONObject()
        out["name"] = .string(book.name)
        out["directory"] = .string(book.configuration.directory)
        out["title"] = .string(book.list.title)
        out["state"] = .string(book.list.held.isEmpty ? directory.state : "held")
        out["contacts"] = .number(book.list.index.count)
        out["files"] = .number(directory.files.count)
        out["merged"] = .number(book.list.index.mergedCount)
        out["conflicts"] = .number(book.list.conflictCount)
        out["setAside"] = .array(
            directory.setAside.map { entry in
                [
                    "file": .string(entry.file), "line": entry.flaw.line.map { .number($0) } ?? .null,
                    "column": entry.flaw.column.map { .number($0) } ?? .null,
                    "item": entry.flaw.item.map { .number($0) } ?? .null,
                    "reason": .string(entry.flaw.reason),
                ]
            }
        )
        out["clashes"] = .array(
            directory.listedClashes.map {
                ["uid": .string($0.uid.text), "files": .array($0.files.map { .string($0) })]
            }
        )
        if !book.list.complaints.isEmpty {
            out["complaints"] = .array(book.list.complaints.map { .string($0) })
        }
        if book.isRegionUnknown { out["regionUnknown"] = true }
        if let failure = directory.writeFailure { out["writeFailure"] = .string(failure) }
        if let failure = book.folder.watchFailure { out["watchFailure"] = .string(failure) }
        if !book.list.damaged.isEmpty { out["damaged"] = .number(book.list.damaged.count) }
        if let (kind, held) = held(book) {
            out["held"] = held
            out["heldBy"] = .string(kind)
        }
        return .object(out)
    }

    /// What waits for a person, and whether because of the `directory`, of `files` that are gone, or of a `peer`.
    func held(_ book: Book) -> (kind: String, held: JSONValue)? {
        let reason: String
        let kind: String
        var since = book.directory.heldSince
        var from: JSONValue = .null
        var deletions = book.directory.pendingDeletions
        if case .notOurs(let why) = book.directory.standing {
            (kind, reason) = ("directory", why)
        } else if let hold = book.directory.hold {
            (kind, reason) = ("files", hold)
        } else if let (device, entry) = book.list.held.min(by: { $0.key < $1.key }) {
            (kind, reason) = ("peer", entry.reason)
            since = entry.since
            from = .string(hub.peers[device]?.configuration.name ?? device)
            deletions = book.list.heldPersons(from: device)
        } else {
            return nil
        }
        let held: JSONValue = [
            "reason": .string(reason),
            "since": since.map { .string(Timestamp.text($0)) } ?? .null,
            "deletions": .array(
                deletions.map { uid in
                    [
                        "uid": .string(uid.text),
                        "name": book.list.card(ofPersonWith: uid)?.name.map { .string($0) } ?? .null,
                    ]
                }
            ),
            "from": from,
        ]
        return (kind, held)
    }

    /// Compares a book with every connected peer and names what differs.
    func verify(_ book: Book, _ answer: @escaping (Result<JSONValue, RPCError>) -> Void) {
        scrub(book) { [weak self] in self?.compare(book, answer) }
    }

    /// How often, every 100 ms, `verify` waits for a damaged contact to be healed: until then nobody knows its name.
    private static let namingTries = 20

    private func name(
        _ differ: [(uid: UID, peer: String)],
        _ book: Book,
        tries: Int,
        _ answer: @escaping (Result<JSONValue, RPCError>) -> Void
    ) {
        guard tries == 0 || differ.allSatisfy({ !book.list.damaged.contains($0.uid) }) else {
            _ = loop.after(100) { [weak self] in self?.name(differ, book, tries: tries - 1, answer) }
            return
        }
        let listed = differ.map { uid, peer -> JSONValue in
            [
                "uid": .string(uid.text),
                "name": book.list.card(ofPersonWith: uid)?.name.map { .string($0) } ?? .null,
                "peer": .string(peer),
            ]
        }
        answer(.success(["equal": .bool(differ.isEmpty), "differ": .array(listed)]))
    }

    private func compare(_ book: Book, _ answer: @escaping (Result<JSONValue, RPCError>) -> Void) {
        let links = hub.peers.values.filter { $0.link?.feeds[book.name] != nil }
        guard !links.isEmpty else {
            return answer(
                .failure(
                    .no("no peer that shares the book \(book.name) is connected; see `contactsync status`")
                )
            )
        }
        var open = links.count
        var differ: [(uid: UID, peer: String)] = []
        var unknown: [String] = []
        for peer in links {
            let name = peer.configuration.name
            peer.link?.feeds[book.name]?.verify { [weak self] uids in
                open -= 1
                if let uids {
                    differ += uids.map { ($0, name) }
                } else {
                    unknown.append(name)
                }
                guard let self, open == 0 else { return }
                if unknown.isEmpty {
                    self.name(differ, book, tries: Self.namingTries, answer)
                } else {
                    answer(
                        .failure(
                            .no(
                                "\(unknown.joined(separator: ", ")) could not be compared; see in `contactsync status` whether the connection is up"
                            )
                        )
                    )
                }
            }
        }
    }
}
