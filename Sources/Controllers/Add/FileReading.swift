import AddressBook
import Contacts
import JSON

/// What the bytes of a file say, as far as it depends on nothing else: it may be found out on any thread.
package struct FileReading: Sendable {
    /// A file read as contacts.
    struct Cards {
        var parsed: ParsedFile
        var saved: [SavedCard]
        /// The hash of what each card says.
        var contents: [ContentHash]
    }

    /// The hash of the bytes.
    let bytes: ContentHash
    /// Whether the file holds nothing: a crash leaves zeros where the bytes were not yet on the disk.
    let isBlank: Bool
    /// What costs the whole file, if it is no contacts.
    let cards: Result<Cards, JSONFlaw>

    init(_ bytes: [UInt8], hash: HashFunction, phoneKey: (String) -> String?) {
        self.bytes = hash.hash(bytes)
        isBlank = bytes.allSatisfy { $0 == 0 || $0 == 0x20 || $0 == 0x0A }
        cards = Result { () throws(JSONFlaw) in
            let parsed = try ParsedFile(bytes)
            let saved = parsed.items.map { SavedCard($0.contact, hash: hash, phoneKey: phoneKey) }
            let contents = saved.map { $0.content(hash) }
            return Cards(parsed: parsed, saved: saved, contents: contents)
        }
    }
}
