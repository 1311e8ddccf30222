import Foundation
import JSON
import Testing

@testable import VCard

/// Whole files, ours and what other people's packages have.
@Suite("Samples")
struct SampleTests {
    @Test(
        "Every vCard of the samples, and of what is installed, comes back as it was",
        arguments: Samples.files
    )
    func roundTrip(path: String) throws {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        for item in VCardFile(bytes).items {
            switch item {
            // A card that says nothing is nobody.
            case .success(let vcard) where vcard.lines.isEmpty: continue
            case .success(let vcard):
                let differences = RoundTrip(vcard).differences + RoundTrip(vcard.card.card).differences
                if Samples.reports {
                    print(
                        "\(path):\(vcard.line): \(differences.isEmpty ? "equal" : differences.joined(separator: "; "))"
                    )
                }
                #expect(differences.isEmpty, "\(path):\(vcard.line): \(differences)")
            case .failure(let error):
                if Samples.reports { print("\(path):\(error.line): broken: \(error.reason)") }
                #expect(
                    !Samples.isOurs(path) || path.contains("broken"),
                    "\(path):\(error.line): \(error.reason)"
                )
            }
        }
    }
}

/// Where files lie.
enum Samples {
    private static let ours = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "samples")
        .path

    /// `VCARD_SAMPLES` names more directories, with colons between.
    private static let more = ProcessInfo.processInfo.environment["VCARD_SAMPLES"]?.split(separator: ":").map(
        String.init
    )

    static var reports: Bool { more != nil }

    static func isOurs(_ path: String) -> Bool { path.hasPrefix(ours) }

    static var files: [String] {
        ([ours] + (more ?? [])).flatMap { directory in
            let all = (try? FileManager.default.subpathsOfDirectory(atPath: directory)) ?? []
            return all.filter { $0.lowercased().hasSuffix(".vcf") }.sorted().map { directory + "/" + $0 }
        }
    }
}
