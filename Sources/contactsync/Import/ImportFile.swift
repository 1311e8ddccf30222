import Contacts
import Glibc
import JSON
import VCard

/// A file of contacts, whichever of the forms it has: vCards, a JSContact Card, or an array of them.
struct ImportFile {
    /// One contact of it.
    enum Item {
        case card(JSONObject)
        case vcard(VCard)
        case flaw(String)
    }

    /// As it was named.
    let name: String
    /// The contacts in order, each with the line where it begins or where it is wrong.
    let items: [(line: Int, item: Item)]

    /// The most that is read, in bytes: a phone's whole book with photos fits, a disk image does not.
    static let maxBytes = 1 << 30

    /// Reads a file; `-` is standard input.
    static func read(_ name: String) throws(Failure) -> ImportFile {
        let descriptor = unsafe name == "-" ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(name) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(name) }
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= maxBytes else {
                throw Failure(
                    .refused,
                    "\(name) is larger than \(maxBytes >> 30) GiB; split it and import the parts"
                )
            }
        }
        return ImportFile(name: name == "-" ? "standard input" : name, bytes)
    }

    /// Takes the bytes of a file apart; their beginning tells the form.
    init(name: String, _ bytes: [UInt8]) {
        self.name = name
        items = VCardFile.isVCard(bytes) ? Self.vcards(bytes) : Self.cards(bytes)
    }

    private static func vcards(_ bytes: [UInt8]) -> [(Int, Item)] {
        VCardFile(bytes).items.map { item in
            switch item {
            case .success(let vcard): (vcard.line, .vcard(vcard))
            case .failure(let error): (error.line, .flaw(error.reason))
            }
        }
    }

    private static func cards(_ bytes: [UInt8]) -> [(Int, Item)] {
        do throws(JSONFlaw) {
            let document = try JSONDocument.read(bytes, maxBytes: maxBytes)
            return document.items.enumerated().map { place, item in
                switch item.value {
                case .failure(let flaw): return (flaw.line, .flaw(flaw.reason))
                case .success(let value):
                    do throws(CardError) {
                        _ = try ContactItem.read(value)
                        return (item.line, .card(value.object ?? JSONObject()))
                    } catch {
                        let at = JSONDocument.place(of: error.path, item: place, in: bytes)
                        return (at.line, .flaw(error.reason))
                    }
                }
            }
        } catch {
            return [(error.line, .flaw("this is neither vCard nor JSContact: \(error.reason)"))]
        }
    }

    private static func unreadable(_ name: String) -> Failure {
        let reason = unsafe String(cString: strerror(errno))
        return Failure(
            .no,
            "\(name) cannot be read: \(reason). Check the name and its mode; nothing was imported"
        )
    }
}
