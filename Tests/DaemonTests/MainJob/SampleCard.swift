import JSON
import TestSupport

/// A card for tests: invented people with numbers from the range kept for fiction (020 7946 0000 to 0999).
struct SampleCard {
    var uid: String
    var name: String
    var phones: [String]
    var note: String?
    var email: String?
    /// Uids of members; the card is a group then.
    var members: [String] = []

    /// The card number `index`, with a number of its own.
    init(_ index: Int, name: String? = nil, phone: String? = nil) {
        uid = "urn:uuid:00000000-0000-4000-8000-" + SampleCard.padded(index, to: 12)
        self.name = name ?? "Person \(SampleCard.padded(index, to: 3))"
        phones = [phone ?? "+44 20 7946 0\(SampleCard.padded(index, to: 3))"]
    }

    var value: JSONValue {
        var phones = JSONObject()
        for (index, number) in self.phones.enumerated() {
            phones["p\(index + 1)"] = ["number": .string(number)]
        }
        var card: JSONObject = JSONObject()
        card["@type"] = "Card"
        card["version"] = "1.0"
        card["uid"] = .string(uid)
        card["name"] = ["@type": "Name", "full": .string(name)]
        if !phones.isEmpty { card["phones"] = .object(phones) }
        if let email { card["emails"] = ["e1": ["address": .string(email)]] }
        if let note { card["notes"] = ["n1": ["note": .string(note)]] }
        if !members.isEmpty {
            var set = JSONObject()
            for member in members { set[member] = true }
            card["kind"] = "group"
            card["members"] = .object(set)
        }
        return .object(card)
    }

    var text: String { JSONWriter.text(value) }

    /// So many cards whose notes do not compress.
    static func many(_ range: Range<Int>, seed: UInt64) -> [SampleCard] {
        var random = SeededGenerator(seed: seed)
        return range.map { index in
            var card = SampleCard(index)
            card.note = (0..<24).map { _ in String(random.next(), radix: 36) }.joined()
            return card
        }
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Machine {
    /// Waits until exactly these names are in the book.
    func expectNames(_ names: [String], _ claim: String) throws {
        try eventually("\(claim), on \(name)") {
            let have = try self.names()
            return have == names.sorted() ? nil : "want \(names.sorted()), have \(have)"
        }
    }

    /// Waits until the book has so many contacts.
    func expectCount(_ count: Int, _ claim: String, within seconds: Double = Patience.answer) throws {
        try eventually("\(claim), on \(name)", within: seconds) {
            let have = try people().count
            return have == count ? nil : "want \(count) contacts, have \(have)"
        }
    }

    /// Every visible file of the book is whole, and there is one for each contact.
    func expectOneWholeFileEach(_ claim: String) throws {
        try eventually("\(claim), on \(name)") {
            let people = try people()
            let files = fileNames
            for file in files where (try? parsed(bytes(of: file) ?? [])) == nil {
                return "\(file) is no whole JSON"
            }
            guard files.count == people.count else {
                return "\(people.count) contacts, but files \(files.prefix(12))"
            }
            let homes = Set(people.compactMap(\.file))
            return homes == Set(files)
                ? nil
                : "the contacts name the files \(homes.sorted().prefix(12)), there are \(files.prefix(12))"
        }
    }
}
