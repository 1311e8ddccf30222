import Foundation
import JSON
import Testing

/// The page in a browser, where one is installed (`make web-test` installs it). `CONTACTS=` says how many contacts there
/// are, `PICTURES=` a directory for pictures of all that was looked at.
@Suite("The page in a browser", .enabled(if: Browser.path != nil))
struct ChromiumTests {
    private static let contacts =
        ProcessInfo.processInfo.environment["CONTACTS"].flatMap { Int($0) } ?? 150
    private static let pictures = ProcessInfo.processInfo.environment["PICTURES"]

    /// A machine with eight peers, one of them real, and with everything that the page can show.
    private static func with(_ body: (Machine, Browser, String) throws -> Void) throws {
        try World.with { world in
            let laptop = try world.add("laptop", MachineOptions(bookLines: ["deduplicate = \"careful\""]))
            let desktop = try world.add("desktop")
            try world.connect()
            for name in ["attic", "garden house", "office", "phone", "Ĵoão", "server", "tablet"] {
                let digits = name.utf8.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
                let id = String((digits + String(repeating: "0", count: 64)).prefix(64))
                laptop.peers.append(Machine.Peer(name: "\"\(name)\"", id: id, port: 1))
            }
            try laptop.writeConfiguration()
            for start in stride(from: 1, through: contacts, by: 500) {
                let cards = (start..<min(start + 500, contacts + 1)).map { SampleCard($0).text }
                try laptop.put("[" + cards.joined(separator: ",") + "]", as: "part\(start).json")
            }
            for (index, name) in ["Ana Holm", "Anne Holm", "Bo Dahl", "Mia Lund", "Ole Lund"].enumerated() {
                var card = SampleCard(900_000 + index, name: name, phone: "020 7946 0\(900 + index / 2)")
                card.email = "\(name.prefix(3).lowercased())@example.com"
                try laptop.put(card.text, as: "\(name).json")
            }
            try laptop.put("{\"name\": \"Eve\"\n  \"phone\": 5}", as: "broken.json")
            for machine in [laptop, desktop] { try machine.start() }
            try eventually("both hold everything", within: 600) {
                // While it reads thousands it may be late with an answer.
                let counts = [laptop, desktop].map { try? $0.bookStatus()["contacts"]?.integer }
                return counts.allSatisfy { $0 ?? 0 >= Int64(contacts) + 3 } ? nil : "\(counts)"
            }
            let browser = try Browser(below: world.root)
            defer { browser.close() }
            let link = try #require(try laptop.must("web", "--json").json?["link"]?.string)
            try body(laptop, browser, link)
        }
    }

    @Test(
        "Wide and narrow, light and dark: everything is there, nothing hangs over, and nothing is forbidden"
    )
    func looks() throws {
        try Self.with { laptop, browser, link in
            for (width, dark) in [(1400, false), (1400, true), (400, false), (400, true)] {
                try browser.look(width: width, height: 900, dark: dark)
                for (name, address) in [
                    ("overview", link),
                    ("book", link.replacing("/?", with: "/book?") + "&name=\(Machine.book)"),
                ] {
                    let place = "\(name) at \(width), \(dark ? "dark" : "light")"
                    try browser.open(address)
                    let over = try browser.evaluate("document.documentElement.scrollWidth - innerWidth")
                    #expect(over.integer.map { $0 <= 0 } == true, "\(place) hangs over by \(over)")
                    let colour =
                        try browser.evaluate("getComputedStyle(document.body).backgroundColor").string ?? ""
                    let parts = colour.matches(of: #/\d+/#).compactMap { Int($0.output) }
                    #expect(parts.count == 3 && (parts[0] < 64) == dark, "\(place): \(colour)")
                    let small = try browser.evaluate(
                        "[...document.querySelectorAll('main *')].filter(e => e.checkVisibility() && e.children.length == 0"
                            + " && e.textContent.trim() && parseFloat(getComputedStyle(e).fontSize) < 11).length"
                    )
                    #expect(small.integer == 0, "\(place): \(small) texts are too small to read")
                    if let pictures = Self.pictures {
                        let file = "\(pictures)/\(name)-\(width)-\(dark ? "dark" : "light").png"
                        try browser.picture().write(to: URL(filePath: file))
                    }
                }
                try browser.open(link)
                let star = try browser.evaluate("getComputedStyle(document.querySelector('.star')).display")
                    .string
                #expect(
                    star == (width > 600 ? "block" : "none"),
                    "a star on a wide screen, a list on a narrow one"
                )
                #expect(try browser.evaluate("document.querySelectorAll('.tree li').length").integer == 8)
            }
            #expect(browser.complaints.isEmpty, "\(browser.complaints)")
        }
    }

    @Test(
        "The page follows what happens and keeps open what is open; without scripts it can be read all the same"
    )
    func follows() throws {
        try Self.with { laptop, browser, link in
            try browser.look(width: 1400, height: 900, dark: false)
            try browser.open(link)
            _ = try browser.evaluate("document.querySelector('details').open = true")
            try laptop.put(SampleCard(999_999, name: "Zara Newcomer").text, as: "zara.json")
            try eventually("the page shows it by itself", within: 60) {
                try browser.evaluate("document.body.innerText.includes('Zara Newcomer')") == true
                    ? nil : "not yet"
            }
            #expect(try browser.evaluate("document.querySelector('details').open") == true)
            #expect(browser.complaints.isEmpty, "\(browser.complaints)")

            try browser.look(width: 1400, height: 900, dark: false, scripts: false)
            try browser.open(link)
            let text = try browser.evaluate("document.body.innerText").string ?? ""
            for words in ["Zara Newcomer", "Suspected duplicates", "Peers", "broken.json"] {
                #expect(text.contains(words), "\(words)")
            }
        }
    }
}
