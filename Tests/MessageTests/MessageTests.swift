import Testing

@testable import BookDirectory
@testable import EventLoop
@testable import Storage
@testable import Wire

/// What the programs say to people, collected from the sources: whoever adds a message without a next step, or a
/// kind of error that is shown nowhere with one, fails here.
@Suite("Messages") struct MessageTests {
    /// The calls whose text reaches a person as it stands.
    static let speaking = [
        // contactsync
        "Failure",
        // The socket's answers, which contactsync prints.
        ".no", ".refused", ".invalidParams", ".invalidRequest", ".parse",
        // The configuration's readers.
        "problems.add", "ConfigProblem", "problem",
        // The daemon's start, end and log.
        "StartError", "fail", "log.warning", "log.error",
    ]

    /// Messages whose next step comes with what is put into them, and where it comes from.
    static let passedOn = [
        "unknown key … in …; …": "the nearest key, or to remove it",
        "…\nusage: contactsync …": "what is missing, and the usage",
        "the name of a book …": "ConfigurationReader.nameFlaw",
        "the name of a peer …": "ConfigurationReader.nameFlaw",
        "the name of a hook …": "ConfigurationReader.nameFlaw", "name …": "ConfigurationReader.nameFlaw",
        "contactsyncd: …": "StartError, ConfigErrors",
        "contactsyncd: ": "StartError",
        "contactsyncd: … is not known\n": "the usage is printed behind it",
        "--config needs a file\n": "the usage is printed behind it",
    ]

    /// The rooms whose errors are causes, told by those above; the others speak to people.
    static let quiet: Set<String> = [
        "JSON", "Contacts", "Replication", "Wire", "AddressBook", "Controllers", "EventLoop", "TLS",
        "Compression",
        "PhoneNumbers", "BookDirectory", "Storage",
    ]

    /// Each kind of error, and how what it says reaches people with something to do.
    static let kinds = [
        "Failure": "speaks for itself", "RPCError": "speaks for itself", "StartError": "speaks for itself",
        "ConfigProblem": "speaks for itself", "ConfigErrors": "its problems speak",
        "HostPort.Flaw": "within a problem that says how to write it",
        "TOMLDocument.Flaw": "within a problem that says to correct the line",
        "TLSError": "StartError with doctor; the peer's trouble, for which status has steps; id",
        "LoopError": "StartError; the peer's trouble, for which status and doctor have steps",
        "StorageError": "StartError with doctor; `failure` of the status, which has steps",
        "StoreFailure": "`failure` of the status, which has steps",
        "DirectoryError": "what holds or stops a book, for which status and doctor have steps",
        "FolderFailure": "what holds or stops a book, for which status and doctor have steps",
        "FileFailure": "a broken file, for which status and doctor have steps",
        "ReadError": "a broken file, for which status and doctor have steps",
        "JSONFlaw": "a broken file with its line, for which status and doctor have steps",
        "CardError": "a broken file with its line; `add` and `resolve` say to correct it",
        "Errno": "within DirectoryError and ReadError",
        "WireError": "the peer's trouble, for which status has steps",
        "RecordError": "within WireError or a complaint about a peer", "CompressionError": "within WireError",
        "TooLong": "within RPCError", "Request.Flaw": "within RPCError", "WhoError": "within RPCError",
        "HTTPError": "within StartError and the log, which name the key to change",
        "VCardError": "a skipped item of an import, with its file and line",
        "PairingFailure": "within RPCError and the log, which say to try again",
        "LoginError": "ends a connection; within its peer's trouble",
    ]

    @Test("every message says what to do next, and none is a code alone")
    func steps() {
        var seen: Set<String> = []
        var count = 0
        for file in SourceText.all where !Self.quiet.contains(file.room) {
            for call in file.calls(Self.speaking) where !call.text.isEmpty {
                count += 1
                seen.insert(call.text)
                guard Self.passedOn[call.text] == nil else { continue }
                #expect(NextStep.isIn(call.text), "no next step in \(file.name):\(call.line): \(call.text)")
                #expect(
                    !NextStep.isRawCode(call.text),
                    "hardly a word in \(file.name):\(call.line): \(call.text)"
                )
            }
        }
        #expect(count > 70, "the sources are found: \(count)")
        for text in Self.passedOn.keys { #expect(seen.contains(text), "said nowhere any more: \(text)") }
    }

    @Test("everything that waits for a person comes with something to type")
    func needs() {
        var count = 0
        for file in SourceText.all where file.name.hasPrefix("contactsync/") {
            for call in file.calls(["Need"]) {
                count += 1
                let hasSteps = call.written.contains("steps:") || call.written.contains(".note")
                #expect(hasSteps, "\(file.name):\(call.line): \(call.text)")
            }
        }
        #expect(count > 8)
    }

    @Test("every kind of error is in the table, with the way in which it reaches people")
    func errorKinds() {
        let known = Set(Self.kinds.keys.map { $0.split(separator: ".").last.map(String.init) ?? $0 })
        let found = Set(SourceText.all.flatMap(\.errorTypes))
        #expect(found.subtracting(known) == [], "not in the table")
        #expect(known.subtracting(found) == [], "no such error")
    }

    @Test(
        "what the machine says is told in words, not as its number",
        arguments: [
            "\(StorageError.system(operation: "open", path: "/s", errno: 28))",
            "\(DirectoryError(operation: "open", path: "/s", errno: 28))",
            "\(ReadError(name: "a", reason: .unreadable(28)))",
            "\(LoopError(code: -28, operation: "listen on :1"))",
        ]
    )
    func words(text: String) {
        #expect(text.lowercased().contains("no space left on device"), "\(text)")
    }

    @Test(
        "what a peer did is told in words",
        arguments: [
            WireError.frameTooLarge(bytes: 9, limit: 8), .unknownFlags(2), .unknownKind(9),
            .compressionRefused,
            .gap(book: "b", expected: 1, got: 2),
        ]
    )
    func peers(error: WireError) {
        #expect(!NextStep.isRawCode(error.description))
    }

    @Test("the table fails on a message that says only what happened, or a number")
    func honesty() {
        let planted = SourceText(
            name: "planted.swift",
            """
            // throw .no("in a comment")
            throw .no("there is no contact \\(who)")
            throw Failure(.no, "error \\(code("x"))")
            return answer(.failure(.refused("it is held; " + "see `contactsync status`")))
            let file = thing.no("not ours")
            enum NewError: Error, Sendable {
            """
        )
        let calls = planted.calls(Self.speaking)
        #expect(calls.map(\.line) == [2, 3, 4])
        #expect(
            calls.map(\.text) == [
                "there is no contact …", "error …; x", "it is held; see `contactsync status`",
            ]
        )
        #expect(calls.map { NextStep.isIn($0.text) } == [false, false, true])
        #expect(calls.map { NextStep.isRawCode($0.text) } == [false, true, false])
        #expect(planted.errorTypes == ["NewError"])
        for text in [
            "a, see below", "it broke. Try again", "x; name one of: …", "a: b\nusage: contactsync x",
        ] {
            #expect(NextStep.isIn(text), "\(text)")
        }
        for text in ["name is wrong", "nobody is here", "see", "see what happened", "there; it is broken"] {
            #expect(!NextStep.isIn(text), "\(text)")
        }
    }
}
