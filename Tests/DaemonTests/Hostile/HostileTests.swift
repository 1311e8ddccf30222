import Foundation
import Testing

/// A daemon among peers that are broken, hostile, or both.
@Suite("Hostile peers")
struct HostileTests {
    /// `HOSTILE=name` runs those behaviours alone whose name holds it.
    private static let chosen = ProcessInfo.processInfo.environment["HOSTILE"].map { part in
        Behaviour.all.filter { $0.name.contains(part) }
    }

    @Test("whatever a peer says, the honest pair goes on, and nothing of its own changes")
    func all() throws {
        let behaviours = Self.chosen ?? Behaviour.all
        try World.with { world in
            let arena = try Arena(world, behaviours: behaviours)
            for (n, behaviour) in behaviours.enumerated() {
                do { try arena.run(behaviour, n) } catch { Issue.record("\(behaviour): \(error)") }
            }
            let (quiet, attacked) = arena.medians
            // Twice the quiet one; below that the machine's other work decides.
            #expect(attacked <= 2 * max(quiet, 100))
            print(
                "\(behaviours.count) behaviours; a contact travels in \(quiet) ms when it is quiet, in \(attacked) ms",
                "under attack (medians); the daemon took \(arena.memory / 1000) MB at most"
            )
        }
    }
}
