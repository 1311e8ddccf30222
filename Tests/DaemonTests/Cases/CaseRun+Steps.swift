import Foundation
import JSON

extension CaseRun {
    /// Does what a step says, on one machine or on all.
    func perform(_ step: Step, isLastSync: Bool) throws {
        if step.verb == .sync { return try sync(rounds: step.times, isLast: isLastSync) }
        let all = step.machine == nil || step.machine == "all"
        for machine in try all ? machines : [machine(step.machine ?? "")] { try perform(step, on: machine) }
    }

    private func perform(_ step: Step, on machine: Machine) throws {
        let first = step.arguments.first ?? ""
        switch step.verb {
        case .put, .renameOver:
            try put(first, as: target(step), on: machine)
        case .overwrite:
            let bytes = try input(first)
            try machine.overwrite(bytes, as: target(step))
            own[machine.name, default: [:]][target(step)] = bytes
        case .replaceContact:
            try replaceContact(first, otherwise: target(step), on: machine)
        case .removeFile:
            try machine.remove(first)
            own[machine.name]?[first] = nil
        case .touch:
            for _ in 0..<step.times { try machine.touch(first) }
        case .chmod:
            let mode = Int(first, radix: 8) ?? 0
            try FileManager.default.setAttributes(
                [.posixPermissions: mode],
                ofItemAtPath: machine.path(step.arguments[1])
            )
        case .symlink:
            try FileManager.default.createSymbolicLink(
                atPath: machine.path(first),
                withDestinationPath: step.arguments[2]
            )
        case .mkfifo:
            guard unsafe mkfifo(machine.path(first), 0o644) == 0 else {
                throw Failure("cannot make the pipe")
            }
        case .mkdir:
            try FileManager.default.createDirectory(
                atPath: machine.path(first),
                withIntermediateDirectories: false
            )
        case .movedir: try moveDirectory(first, of: machine)
        case .makeWatched:
            try FileManager.default.createDirectory(
                atPath: machine.directory,
                withIntermediateDirectories: false
            )
        case .setModificationTime: throw Failure("no case uses this step yet")
        case .stop: try machine.stop()
        case .start: try machine.start()
        case .restart: try machine.restart()
        case .unmerge, .remove: try machine.must(step.verb.rawValue, Machine.book, first)
        case .offline: world.takeOffline(machine)
        case .online: try bringOnline(machine)
        case .clock: try machine.setClock(first)
        case .settle: try settle(machine)
        case .noteIDs: notedIDs[first] = try ids(on: machine)
        case .check: try check(machine, first)
        case .sync: preconditionFailure("sync is a step of all machines")
        }
    }

    func ids(on machine: Machine) throws -> [String: String] {
        Dictionary(try machine.people().map { ($0.name ?? "", $0.uid) }) { one, _ in one }
    }

    private func sync(rounds: Int, isLast: Bool) throws {
        if mayLookLikeDeletion {
            for machine in world.reachable { try machine.settle(Window.absence) { try look(machine, $0) } }
            mayLookLikeDeletion = false
        }
        let quiet = isLast ? given.expected.quietAfterRound : nil
        let unequal = try world.exchange(rounds: min(rounds, quiet ?? rounds), seen: look)
        note = unequal.isEmpty ? "" : " [`sync` did not exit 0 on \(unequal.joined(separator: ", "))]"
        if let quiet { try world.expectSilence("not quiet after round \(quiet)") }
    }

    /// `F as N` is N; F alone keeps its own name.
    private func target(_ step: Step) -> String {
        let arguments = step.arguments
        return arguments.count == 3 && arguments[1] == "as" ? arguments[2] : lastPart(arguments.first ?? "")
    }

    private func replaceContact(_ name: String, otherwise file: String, on machine: Machine) throws {
        guard let uid = try parsed(input(name))["uid"]?.string else { throw Failure("\(name) has no uid") }
        try put(name, as: machine.person(uid)?.file ?? file, on: machine)
    }

    private func moveDirectory(_ where: String, of machine: Machine) throws {
        let away = machine.directory + "-away"
        guard `where` == "back" else {
            return try FileManager.default.moveItem(atPath: machine.directory, toPath: away)
        }
        if FileManager.default.fileExists(atPath: machine.directory) {
            // What lay under the mount point is hidden again.
            try FileManager.default.moveItem(
                atPath: machine.directory,
                toPath: "\(machine.home)/under-\(UUID().uuidString)"
            )
        }
        try FileManager.default.moveItem(atPath: away, toPath: machine.directory)
    }

    private func bringOnline(_ machine: Machine) throws {
        // What was done apart is old news to each machine by the time they meet.
        if !machine.isOnline {
            for other in machines where other.isRunning {
                try other.settle(mayLookLikeDeletion ? Window.absence : Window.rest) { try look(other, $0) }
            }
            mayLookLikeDeletion = false
        }
        try world.bringOnline(machine)
    }
}
