import Foundation
import Testing

/// What `pair --invite --qr` draws is what a camera reads.
@Suite("A drawn invitation", .enabled(if: Executables.tool("zbarimg") != nil))
struct DrawnInvitationTests {
    @Test("it is read back as the address that stands above it, and pairs")
    func camera() throws {
        try PairingTests.with(["A", "B"]) { _, machines in
            let (a, b) = (machines[0], machines[1])
            let said = try a.must("pair", "--invite", "--qr").out
            let address = try #require(said.split(separator: "\n").first { $0.hasPrefix("contactsync://") })
            let picture = a.stage + "/code.pgm"
            try Self.picture(of: said).write(to: URL(filePath: picture))
            let read = a.stage + "/read.txt"
            let camera = try Child(
                try #require(Executables.tool("zbarimg")),
                ["--quiet", "--raw", picture],
                environment: [:],
                directory: "/",
                output: read,
                errors: a.stage + "/errors"
            )
            #expect(camera.wait(Patience.answer) == 0)
            let text = try String(contentsOfFile: read, encoding: .utf8).trimmingCharacters(in: .newlines)
            #expect(text == address)
            _ = try b.must("pair", text)
            try PairingTests.expectConnected(a, "B")
        }
    }

    /// What a terminal shows of half blocks, dark on light, as a picture (netpbm's PGM).
    private static func picture(of drawn: String) throws -> Data {
        let side = 6
        var rows: [[Bool]] = []
        for line in drawn.split(separator: "\n") where line.hasPrefix("\u{1B}[") {
            // Between the escape sequences, which set black on white, and set it back.
            guard let start = line.firstIndex(of: "m"), let end = line.lastIndex(of: "\u{1B}"), start < end
            else {
                throw Failure("a row without colours: \(line)")
            }
            let blocks = line[line.index(after: start)..<end]
            rows.append(blocks.map { "▀█".contains($0) })
            rows.append(blocks.map { "▄█".contains($0) })
        }
        guard let width = rows.first?.count, rows.allSatisfy({ $0.count == width }) else {
            throw Failure("no rows of one length: \(drawn)")
        }
        var picture = Data("P5 \(width * side) \(rows.count * side) 255\n".utf8)
        for row in rows {
            let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: side) }
            for _ in 0..<side { picture.append(contentsOf: line) }
        }
        return picture
    }
}
