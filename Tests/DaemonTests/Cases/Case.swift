import Foundation
import JSON

/// One folder of `cases/`: files, steps, and what is right. Its words are explained in `cases/README.md`.
///
/// A word that this reader does not know is an error, never passed over.
struct Case {
    let id: String
    /// The files of `in/`, by their path below it.
    private(set) var inputs: [String: [UInt8]] = [:]
    private(set) var steps: [Step] = []
    /// Files whose every order is tried.
    private(set) var ordered: [String] = []
    private(set) var expected = Expectation()

    /// Where all cases are.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "cases").path

    /// The IDs of the cases that this build of the product can be tried with, those with clocks of their own apart.
    ///
    /// `CONTACTSYNC_CASES` may name those to run, by the beginnings of their IDs, with commas between.
    static func ids(withClocks: Bool) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let chosen = ProcessInfo.processInfo.environment["CONTACTSYNC_CASES"]?.split(separator: ",")
        return names.filter { !$0.contains(".") }.sorted().filter { id in
            guard chosen?.contains(where: { id.hasPrefix($0) }) != false else { return false }
            let steps = FileManager.default.contents(atPath: "\(root)/\(id)/steps.txt") ?? Data()
            return String(decoding: steps, as: UTF8.self).contains(" clock ") == withClocks
        }
    }

    /// Runs a case in all its ways; throws at the first thing that is wrong.
    static func run(_ id: String) throws {
        let given = try Case(id)
        for variant in given.variants {
            do {
                try World.with { try CaseRun(given, variant, in: $0).run() }
            } catch {
                throw Failure("\(id) \(variant.label)\(error)")
            }
        }
    }

    init(_ id: String) throws {
        self.id = id
        let folder = Case.root + "/" + id
        guard let text = FileManager.default.contents(atPath: folder + "/expected.json") else {
            throw Failure("\(id) has no expected.json")
        }
        expected = try Expectation(parsed(Array(text)))
        if let text = FileManager.default.contents(atPath: folder + "/steps.txt") {
            for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
                if let match = line.wholeMatch(of: /#\s*Run once for each of the \w+ orders of ([^;]+);.*/) {
                    ordered = match.1.split(separator: ", ").map(String.init)
                }
                if let step = try Step(String(line)) { steps.append(step) }
            }
        }
        let inputs = folder + "/in"
        for name in try FileManager.default.subpathsOfDirectory(atPath: inputs) {
            let path = inputs + "/" + name
            let kind = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            guard kind == .typeRegular, let bytes = FileManager.default.contents(atPath: path) else {
                continue
            }
            self.inputs[name] = Array(bytes)
        }
        guard !self.inputs.isEmpty else { throw Failure("\(id) has no files") }
    }

    /// The machines that take part; one looks on where the case has one of its own only but asks about peers.
    var machines: (names: [String], hasOnlooker: Bool) {
        var names = Set(["A"] + steps.compactMap(\.machine) + expected.regions.keys)
        if steps.contains(where: { $0.verb == .sync || $0.machine == "all" }) { names.formUnion(["A", "B"]) }
        names.remove("all")
        let looks = names.count == 1 && (expected.noDeletionSent || expected.revisions != nil)
        return (names.sorted() + (looks ? ["B"] : []), looks)
    }

    /// A way to run the case: a policy, and which file stands in for which.
    struct Variant {
        var label: String
        var policy: String?
        var standIns: [String: String]
    }

    /// All ways that the case asks for.
    var variants: [Variant] {
        let policies: [String?] = expected.byPolicy.isEmpty ? [nil] : expected.byPolicy.keys.sorted()
        return policies.flatMap { policy in
            permutations(of: ordered).map { order in
                let label = (policy.map { [$0] } ?? []) + order
                return Variant(
                    label: label.isEmpty ? "" : "[\(label.joined(separator: " "))] ",
                    policy: policy,
                    standIns: Dictionary(uniqueKeysWithValues: zip(ordered, order))
                )
            }
        }
    }

    private func permutations(of items: [String]) -> [[String]] {
        guard items.count > 1 else { return [items] }
        return items.flatMap { first in
            permutations(of: items.filter { $0 != first }).map { [first] + $0 }
        }
    }
}
