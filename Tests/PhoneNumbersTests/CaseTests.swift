import Contacts
import FoundationEssentials
import JSON
import PhoneNumbers
import Testing

/// The hard inputs of the corpus, as far as one room can judge them: each text of a file against `expected.json`.
@Suite struct CaseTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "DaemonTests/cases")

    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Self.corpus.appending(path: path)))
    }

    @Test(
        "Every contact of a case has the expected numbers",
        arguments: [
            "num-argentina-15", "num-bidi-marks", "num-brazil-ninth", "num-extension", "num-italy-zero",
            "num-json-number", "num-mexico-521", "num-native-digits", "num-no-region", "num-service-codes",
            "num-trunk-zero-gb", "num-vanity", "num-words-in-number", "name-unicode", "noname-org-only",
            "file-array-one-bad", "file-bom-crlf", "file-duplicate-keys", "file-one-bad",
        ]
    )
    func numbers(id: String) throws {
        let expected = try #require(try JSONReader.value(bytes(id + "/expected.json")).object)
        let region = expected["region"]?.string
        let numbers = PhoneNumbers()
        var seen: [(name: PersonName, key: String)] = []
        let files = try FileManager.default.contentsOfDirectory(
            atPath: Self.corpus.appending(path: id + "/in").path
        )
        for file in files.sorted() {
            guard let document = try? JSONDocument.read(bytes(id + "/in/" + file)) else { continue }
            for item in document.items {
                guard let value = try? item.value.get(), let contact = try? ContactItem.read(value) else {
                    continue
                }
                for phone in contact.card["phones"]?.object ?? JSONObject() {
                    let text = try #require(phone.value.object?["number"]?.string)
                    let name = PersonName(PersonName.shown(contact.card["name"]) ?? "")
                    seen.append((name, numbers.key(of: text, region: region) ?? text))
                }
            }
        }
        var allowed: [(name: PersonName, keys: [String])] = []
        for contact in try #require(expected["contacts"]?.array) {
            let name = PersonName(contact.object?["name"]?.string ?? "")
            for phone in contact.object?["phones"]?.array ?? [] {
                allowed.append((name, (phone.array ?? [phone]).compactMap(\.string)))
            }
        }
        for (name, key) in seen {
            #expect(allowed.contains { $0.name == name && $0.keys.contains(key) }, "\(name.folded): \(key)")
        }
        for (name, keys) in allowed {
            #expect(seen.contains { $0.name == name && keys.contains($0.key) }, "\(name.folded): \(keys)")
        }
    }

    @Test(
        "A bad file names its place",
        arguments: [
            ("file-one-bad/in/comma.json", 1, 52), ("file-one-bad/in/comment.json", 1, 1),
            ("file-one-bad/in/cut.json", 1, 31), ("file-deep-nesting/in/deep.json", 1, 65),
        ]
    )
    func places(path: String, line: Int, column: Int) throws {
        let bytes = try bytes(path)
        do throws(JSONFlaw) {
            _ = try JSONDocument.read(bytes)
            Issue.record("\(path) was read")
        } catch {
            #expect(error.line == line)
            #expect(error.column == column)
        }
    }
}
