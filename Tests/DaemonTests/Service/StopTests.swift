import Foundation
import JSON
import Testing

/// SIGTERM in the middle of work.
@Suite("SIGTERM")
struct StopTests {
    @Test("ends a daemon at once while 5,000 files wait, and what it knew is stored")
    func underLoad() throws {
        try World.with(["A", "B"]) { _, machines in
            for index in 1...5000 {
                let card = SampleCard(index, phone: "+44 20 7946 \(10_000 + index)")
                try machines[0].put(card.text, as: "\(index).json")
            }
            let b = machines[1]
            try waitUntil("B writes files of what comes") { !b.fileNames.isEmpty }
            for machine in machines {
                let known = try contacts(machine)
                #expect((1..<5000).contains(known), "it is in the middle of its work")
                let time = try ContinuousClock().measure { try machine.stop() }
                // A second for the program that people run; this one is not optimised, and not alone.
                #expect(time < .seconds(2))
                // Without its files it shows what its store has.
                try FileManager.default.moveItem(
                    atPath: machine.directory,
                    toPath: machine.directory + "-away"
                )
                try machine.start()
                #expect(try contacts(machine) >= known)
            }
        }
    }

    private func contacts(_ machine: Machine) throws -> Int64 {
        try machine.bookStatus()["contacts"]?.integer ?? 0
    }
}
