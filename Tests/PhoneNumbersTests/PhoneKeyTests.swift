import Contacts
import PhoneNumbers
import Testing

@Suite struct PhoneKeyTests {
    /// One claim: the text, the book's region, and the key or nil.
    struct Claim: Sendable, CustomTestStringConvertible {
        let text: String
        let region: String?
        let key: String?

        init(_ text: String, _ region: String?, _ key: String?) {
            self.text = text
            self.region = region
            self.key = key
        }

        var testDescription: String { "\(text) in \(region ?? "no region")" }
    }

    private func check(_ claim: Claim) {
        let key = PhoneNumbers().key(of: claim.text, region: claim.region)
        #expect(key == claim.key, "\(claim.text.debugDescription) in \(claim.region ?? "no region")")
    }

    static let berlin = "+493023125123"
    static let london = "+442079460123"
    static let dc = "+12025550123"

    @Test(
        "Invisible marks, blanks and hyphens of all kinds are no part of a number",
        arguments: [
            Claim("\u{202A}+44 20 7946 0123\u{202C}", nil, london),
            Claim("\u{2068}020 7946 0123\u{2069}", "GB", london),
            Claim("+44\u{A0}20\u{202F}7946\u{2009}0123", nil, london),
            Claim("+44\u{2011}20\u{2013}7946\u{2212}0123", nil, london),
            Claim("020\u{200B}7946\u{2060}0123\u{FEFF}", "GB", london),
            Claim("+44\u{AD}20\u{AD}79460123", nil, london),
            Claim("\t020 7946 0123 \n", "GB", london), Claim("020.7946.0123", "GB", london),
            Claim("020·7946·0123", "GB", london),
            Claim("\u{200E}(020) 7946-0123", "GB", london),
            Claim("+44\u{3000}20\u{30FC}7946\u{FF0D}0123", nil, london),
            Claim("020_7946_0123", "GB", london), Claim("'+44 20 7946 0123", nil, london),
            Claim("<+44 20 79460123>", nil, london),
            Claim("☎ 020 7946 0123", "GB", london), Claim("📞+44 20 7946 0123", "GB", london),
            Claim("020 7946 0123 🏠", "GB", london),
            Claim("+44\u{FE0F} 20 7946 0123", nil, london),
            Claim("0\u{FE0F}\u{20E3}20 7946 0123", "GB", london),
        ]
    )
    func invisible(claim: Claim) { check(claim) }

    @Test(
        "Digits of every script are digits",
        arguments: [
            Claim("０９０－１２３４－５６７８", "JP", "+819012345678"), Claim("＋８１ ９０ １２３４ ５６７８", nil, "+819012345678"),
            Claim("+٢٠ ١٠٠ ١٢٣ ٤٥٦٧", nil, "+201001234567"), Claim("۰۲۱ ۸۸۹۹ ۱۱۲۲", "IR", "+982188991122"),
            Claim("+९१ ९८७६५ ४३२१०", nil, "+919876543210"), Claim("๐๒ ๒๑๒ ๓๔๕๖", "TH", "+6622123456"),
            Claim("+𝟒𝟒 20 7946 0123", nil, london), Claim("+৪৪ 20 7946 0123", nil, london),
            Claim("①②③④⑤⑥⑦", "DE", nil),
        ]
    )
    func scripts(claim: Claim) { check(claim) }

    @Test(
        "Trunk and carrier prefixes are dialled at home only",
        arguments: [
            Claim("+44 (0)20 7946 0123", nil, london), Claim("+44(0)20 7946 0123", "DE", london),
            Claim("+44020 79460123", "GB", london),
            Claim("0044 20 7946 0123", "GB", london), Claim("+44 [0] 20 7946 0123", nil, london),
            Claim("(+44) 20 7946 0123", nil, london),
            Claim("+ 44 20 7946 0123", nil, london), Claim("0044 (0) 20 7946 0123", "DE", london),
            Claim("011 44 20 7946 0123", "US", london),
            Claim("+49 (0)30 23125-123", nil, berlin), Claim("+49 (030) 23125123", nil, berlin),
            Claim("(0)30 23125123", "DE", berlin),
            Claim("+36 (06) 1 234 5678", nil, "+3612345678"), Claim("06 1 234 5678", "HU", "+3612345678"),
            Claim("+7 (8) 495 123-45-67", nil, "+74951234567"),
            Claim("8 (495) 123-45-67", "RU", "+74951234567"),
            Claim("+45 (0)32 12 34 56", nil, "+4532123456"), Claim("+1 (0) 202 555 0123", nil, dc),
            Claim("1 202 555 0123", "US", dc),
            Claim("0 15 11 96123-4567", "BR", "+5511961234567"),
            Claim("(0xx11) 96123-4567", "BR", "+5511961234567"),
            Claim("+55 0xx11 96123-4567", nil, "+5511961234567"),
            Claim("0XX 11 96123-4567", "BR", "+5511961234567"),
            Claim("(11) 96123-4567", "BR", "+5511961234567"),
            Claim("+39 06 6982 1234", nil, "+390669821234"), Claim("06 6982 1234", "IT", "+390669821234"),
            Claim("0039 06 69821234", "IT", "+390669821234"),
            Claim("+39 (0)6 6982 1234", nil, "+390669821234"),
            Claim("+39 (06) 69821234", nil, "+390669821234"), Claim("+39 6 6982 1234", "IT", nil),
            Claim("+49 49 30 23125123", "DE", nil),
        ]
    )
    func prefixes(claim: Claim) { check(claim) }

    @Test(
        "Old Mexican and Argentine mobile prefixes lead to today's number",
        arguments: [
            Claim("+52 1 55 1234 5678", "MX", "+525512345678"),
            Claim("+52 1 55 1234 5678", nil, "+525512345678"),
            Claim("0052 1 55 1234 5678", "DE", "+525512345678"),
            Claim("011 52 1 55 1234 5678", "US", "+525512345678"),
            Claim("55 1234 5678", "MX", "+525512345678"), Claim("044 55 1234 5678", "MX", "+525512345678"),
            Claim("045 55 1234 5678", "MX", "+525512345678"), Claim("01 55 1234 5678", "MX", "+525512345678"),
            Claim("1 55 1234 5678", "MX", "+525512345678"),
            Claim("+52 (1) 55 1234 5678", nil, "+525512345678"),
            Claim("tel:+5215512345678", nil, "+525512345678"),
            Claim("011 15 2345-6789", "AR", "+5491123456789"),
            Claim("+54 9 11 2345 6789", nil, "+5491123456789"),
            Claim("+54 11 15 2345 6789", nil, "+5491123456789"),
            Claim("+54 11 2345 6789", nil, "+541123456789"),
            Claim("11 15 2345 6789", "AR", "+5491123456789"),
            Claim("(0351) 15 234-5678", "AR", "+5493512345678"),
        ]
    )
    func mobiles(claim: Claim) { check(claim) }

    @Test(
        "An extension belongs to the key, however it is called",
        arguments: [
            Claim("+1 202-555-0123 x45", nil, dc + ";ext=45"),
            Claim("tel:+1-202-555-0123;ext=45", nil, dc + ";ext=45"),
            Claim("(202) 555-0123 ext. 45", "US", dc + ";ext=45"),
            Claim("202.555.0123x45", "US", dc + ";ext=45"),
            Claim("202-555-0123 EXT:45", "US", dc + ";ext=45"),
            Claim("202-555-0123, ext 45", "US", dc + ";ext=45"),
            Claim("202-555-0123 (ext. 45)", "US", dc + ";ext=45"),
            Claim("202-555-0123 #45", "US", dc + ";ext=45"),
            Claim("202-555-0123 extension no. 45", "US", dc + ";ext=45"),
            Claim("202-555-0123;ext=45", "US", dc + ";ext=45"),
            Claim("202-555-0123 ext 045", "US", dc + ";ext=045"),
            Claim("202-555-0123 × 45", "US", dc + ";ext=45"),
            Claim("202-555-0123 ｅｘｔ 45", "US", dc + ";ext=45"),
            Claim("202-555-0123 ext 45 (desk)", "US", dc + ";ext=45"),
            Claim("1-888-555-TAXI x45", "US", "+18885558294;ext=45"),
            Claim("+49 30 23125-123 App. 12", nil, berlin + ";ext=12"),
            Claim("030 23125123 Apparat 12", "DE", berlin + ";ext=12"),
            Claim("030 23125123 Durchwahl -12", "DE", berlin + ";ext=12"),
            Claim("030 23125123 DW 12", "DE", berlin + ";ext=12"),
            Claim("030 23125123 (Nst. 12)", "DE", berlin + ";ext=12"),
            Claim("+39 06 6982 1234 int. 5", nil, "+390669821234;ext=5"),
            Claim("06 6982 1234 interno 5", "IT", "+390669821234;ext=5"),
            Claim("01 23 45 67 89 poste 12", "FR", "+33123456789;ext=12"),
            Claim("+7 495 123-45-67 доб. 89", nil, "+74951234567;ext=89"),
            Claim("8 495 1234567 (доб.89)", "RU", "+74951234567;ext=89"),
            Claim("(11) 2345-6789 ramal 12", "BR", "+551123456789;ext=12"),
            Claim("+86 10 6552 9988 分机 12", nil, "+861065529988;ext=12"),
            Claim("03-1234-5678 内線12", "JP", "+81312345678;ext=12"), Claim("030 23125123 ext", "DE", nil),
            Claim("202-555-0123 ext 45 or 46", "US", nil),
            Claim("202-555-0123#", "US", nil), Claim("x45", "US", nil), Claim("ext. 2025550123", "US", nil),
        ]
    )
    func extensions(claim: Claim) { check(claim) }

    @Test(
        "What is dialled after the connection belongs to the key",
        arguments: [
            Claim("+1 202 555 0145,,99", nil, "+12025550145;ext=99"),
            Claim("+12025550123p99", nil, dc + ";ext=99"),
            Claim("202-555-0123 w 99", "US", dc + ";ext=99"), Claim("202-555-0123;99", "US", dc + ";ext=99"),
            Claim("202-555-0123,99", "US", dc + ";ext=99"), Claim("202-555-0123, 99", "US", dc + ";ext=99"),
            Claim("202-555-0123,,1234567890#", "US", dc + ";ext=1234567890"),
            Claim("+12025550123PP1W2", nil, dc + ";ext=12"),
            Claim("tel:+12025550123;postd=pp22", nil, dc + ";ext=22"), Claim("202-555-0123,", "US", dc),
            Claim("tel:+12025550123,,99", nil, dc + ";ext=99"),
            Claim("tel:+12025550123;99", nil, dc + ";ext=99"),
            Claim("030 23125123, 040 5557778", "DE", nil), Claim("030 23125123; 040 5557778", "DE", nil),
            Claim("03023125123,0405557778", "DE", nil), Claim("030 23125123, +49 40 5557778", "DE", nil),
            Claim("+12025550123p\(String(repeating: "1", count: 33))", nil, nil),
        ]
    )
    func afterwards(claim: Claim) { check(claim) }

    @Test(
        "Words before and after a number are no digits",
        arguments: [
            Claim("+49 30 23125-456 (privat)", nil, "+493023125456"),
            Claim("030 23125456 privat", "DE", "+493023125456"),
            Claim("Tel.: 030 23125123", "DE", berlin), Claim("Tel 030/23125123", "DE", berlin),
            Claim("Büro: +49 30 23125123", nil, berlin),
            Claim("(privat) 030 23125123", "DE", berlin), Claim("+44 20 7946 0123 WORK", nil, london),
            Claim("моб. +7 495 123-45-67", nil, "+74951234567"),
            Claim("030 23125123, privat", "DE", berlin), Claim("030 23125123 - Frau Meier", "DE", berlin),
            Claim("030 23125123 p", "DE", berlin),
            Claim("030 23125123 [Zentrale]", "DE", berlin), Claim("+49 30 23125-privat", nil, nil),
            Claim("030 23125123 (ab 18 Uhr)", "DE", nil),
            Claim("030 23125123 Zimmer 5", "DE", nil), Claim("0171 privat", "DE", nil),
            Claim("0800 1234 privat", "DE", nil),
            Claim("https://wa.me/491711234567", "DE", nil), Claim("wa.me/491711234567", "DE", nil),
            Claim("Tel/Fax 030 23125123", "DE", berlin),
            Claim("Frau Meier: 0171-1234567", "DE", "+491711234567"),
            Claim("siehe oben", "DE", nil), Claim("unbekannt", "DE", nil), Claim("030 XXXX 123", "DE", nil),
            Claim("030 23125123?", "DE", nil),
            Claim("202-555-HOME", "US", nil), Claim("mobile: 202-555-0123", "US", dc),
        ]
    )
    func words(claim: Claim) { check(claim) }

    @Test(
        "A word to be dialled is one only where it makes a number of the right length",
        arguments: [
            Claim("1-888-555-TAXI", "US", "+18885558294"), Claim("+1 888 555 8294", nil, "+18885558294"),
            Claim("1-888-555-TAXICAB", "US", nil),
            Claim("1-800-FLOWERS", "US", "+18003569377"), Claim("1 800 FLOWERS", "US", "+18003569377"),
            Claim("1-800-flowers", "US", "+18003569377"),
            Claim("+1-800-GO-FEDEX", nil, "+18004633339"), Claim("1-800-555-home", "US", nil),
            Claim("+1 (800) FLOWERS", nil, "+18003569377"),
            Claim("1300 FLOWERS", "AU", nil), Claim("0800 FLOWERS", "NZ", "+648003569377"),
            Claim("+49 30 FLOWERS", nil, nil),
            Claim("1-800-CALL-123", "US", "+18002255123"), Claim("FLOWERS", "US", nil),
            Claim("202-555-0123 FLOWERS", "US", dc),
        ]
    )
    func vanity(claim: Claim) { check(claim) }

    @Test(
        "Two numbers in one field are none",
        arguments: [
            Claim("030 1/2", "DE", nil), Claim("030 23125123/124", "DE", nil),
            Claim("030 23125123 oder 0171 1234567", "DE", nil),
            Claim("+44 20 7946 0123 or +44 20 7946 0124", "GB", nil),
            Claim("+442079460123+442079460124", "GB", nil),
            Claim("030 23125123\n040 5557778", "DE", nil), Claim("030 23125123 040 5557778", "DE", nil),
            Claim("0301234567 0301235", "DE", nil),
            Claim("030 23125123 - 040 55577", "DE", nil), Claim("030 23125123 (45)", "DE", nil),
            Claim("030 23125123 & 24", "DE", nil),
            Claim("030/23125123/124", "DE", nil), Claim("030 23125123 (0171 1234567)", "DE", nil),
            Claim("030 23125123~25", "DE", nil),
            Claim("030 23125123 | 040 5557778", "DE", nil), Claim("03023125123/04055577788", "DE", nil),
        ]
    )
    func two(claim: Claim) { check(claim) }

    @Test(
        "A slash behind the area code parts it",
        arguments: [
            Claim("030/23125123", "DE", berlin), Claim("0171/1234567", "DE", "+491711234567"),
            Claim("0 30 / 23 12 51 23", "DE", berlin),
            Claim("(030)/23125123", "DE", berlin), Claim("+49 30/23125123", nil, berlin),
            Claim("+49/30/23125123", nil, berlin),
            Claim("02/511.22.33", "BE", "+3225112233"), Claim("+43/1/5885800", nil, "+4315885800"),
            Claim("202/555-0123", "US", dc),
        ]
    )
    func slashes(claim: Claim) { check(claim) }

    @Test(
        "URIs of RFC 3966 are read by their parts",
        arguments: [
            Claim("tel:+44-20-7946-0123", nil, london), Claim("TEL:+442079460123", nil, london),
            Claim("tel:020-7946-0123;phone-context=+44", nil, london),
            Claim("tel:7946-0123;phone-context=+44-20", nil, london),
            Claim("tel:7042;phone-context=example.com", "GB", nil),
            Claim("tel:020-7946-0123;phone-context=example.com", "GB", nil),
            Claim("tel:+44%2020%207946%200123", nil, london),
            Claim("tel:020-7946-0123", "GB", london), Claim("tel:020-7946-0123", nil, nil),
            Claim("tel:+442079460123;isub=12", nil, nil),
            Claim("tel:+442079460123;tsp=a.example", nil, london), Claim("tel:112", "DE", nil),
            Claim("callto:+442079460123", nil, london),
            Claim("sip:+442079460123@example.com", "GB", nil), Claim("tel://+442079460123", nil, london),
            Claim("tel:", "GB", nil),
            Claim("tel:%zz", "GB", nil),
        ]
    )
    func uris(claim: Claim) { check(claim) }

    @Test(
        "Service codes and short numbers have no key",
        arguments: [
            Claim("112", "DE", nil), Claim("115", "DE", nil), Claim("110", "DE", nil),
            Claim("116117", "DE", nil), Claim("116 116", "DE", nil),
            Claim("*100#", "DE", nil), Claim("*#06#", "DE", nil), Claim("**21*03023125123#", "DE", nil),
            Claim("#31#03023125123", "DE", nil),
            Claim("*67 202 555 0123", "US", nil), Claim("911", "US", nil), Claim("999", "GB", nil),
            Claim("+49112", nil, nil), Claim("+49 115", "DE", nil),
            Claim("0", "DE", nil), Claim("", "DE", nil), Claim("+", "DE", nil), Claim("  ", "DE", nil),
            Claim("(", "DE", nil), Claim("*", "DE", nil),
            Claim("12345", "GB", nil), Claim("118 118", "GB", nil),
        ]
    )
    func service(claim: Claim) { check(claim) }

    @Test(
        "Without a region only an international number has a key",
        arguments: [
            Claim("020 7946 0123", nil, nil), Claim("(510) 555-0123", nil, nil),
            Claim("+44 20 7946 0456", nil, "+442079460456"),
            Claim("0044 20 7946 0456", nil, nil), Claim("442079460456", nil, nil), Claim("112", nil, nil),
            Claim("020 7946 0123", "XX", nil),
            Claim("+44 20 7946 0123", "XX", london), Claim("2079460123", "GB", london),
            Claim("442079460456", "GB", "+442079460456"),
            Claim("491711234567", "DE", nil), Claim("493023125123", "DE", berlin),
            Claim("2025550123", "US", dc), Claim("12025550123", "US", dc),
            Claim("+800 1234 5678", nil, "+80012345678"),
        ]
    )
    func regions(claim: Claim) { check(claim) }

    @Test(
        "What is not valid is kept as text and never repaired",
        arguments: [
            Claim("+55 11 6123 4567", "BR", nil), Claim("+44 20 7946 012", "GB", nil),
            Claim("555-0123", "US", nil), Claim("+999 1234567", nil, nil),
            Claim("++44 20 7946 0123", nil, nil), Claim("+0044 20 7946 0123", nil, nil),
            Claim("+4930", nil, nil), Claim("+44&nbsp;20 7946 0123", nil, nil),
            Claim(String(repeating: "1", count: 600), "US", nil),
            Claim(String(repeating: "(", count: 400) + "030", "DE", nil),
        ]
    )
    func invalid(claim: Claim) { check(claim) }

    @Test("An answer is the same when it is asked for again, and regions do not mix")
    func cache() {
        let numbers = PhoneNumbers()
        for _ in 0..<2 {
            #expect(numbers.key(of: "030 23125123", region: "DE") == Self.berlin)
            #expect(numbers.key(of: "030 23125123", region: nil) == nil)
            #expect(numbers.key(of: "030 23125123", region: "US") == nil)
        }
        for n in 0..<20_000 { _ = numbers.key(of: "x\(n)", region: nil) }
        #expect(numbers.key(of: "030 23125123", region: "DE") == Self.berlin)
    }

    @Test("Regions are two capital letters with a number plan")
    func knownRegions() {
        for region in ["DE", "US", "MX", "VA"] { #expect(PhoneNumbers.isRegion(region)) }
        for region in ["de", "XX", "", "001", "ZZ", "D", "DEU"] { #expect(!PhoneNumbers.isRegion(region)) }
    }
}
