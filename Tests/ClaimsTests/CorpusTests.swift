import Claims
import Foundation
import Testing

/// What the fuzzer has kept, and what it has found, holds.
@Suite("Claims")
struct CorpusTests {
    /// `Fuzz/Corpora`, beside the tests.
    private static let corpora = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/Corpora")

    @Test("every claim holds for all that its corpus has", arguments: Claim.allCases)
    func corpus(claim: Claim) throws {
        let directory = Self.corpora.appending(path: claim.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names.count > 10)
        for name in names.sorted() {
            claim.check([UInt8](try Data(contentsOf: directory.appending(path: name))))
        }
    }

    @Test("every claim holds for nothing", arguments: Claim.allCases)
    func nothing(claim: Claim) { claim.check([]) }
}
