import AddressBook
import JSON

/// What is told of a directory: files set aside and mended, the book held and released.
extension DirectoryController {
    /// Tells what is wrong with a file that was not wrong before, or that nothing is any more.
    func tellFlaws(of name: ExactString, before: FileState?, after: FileState?) {
        guard before?.isFlawed ?? false || after?.isFlawed ?? false else { return }
        let (known, now) = (Self.flaws(before), Self.flaws(after))
        guard known != now else { return }
        if now.isEmpty { return list.tell("mended", [("file", name.text)]) }
        for flaw in now where !known.contains(flaw) {
            var details = [("file", name.text)]
            if let line = flaw.line { details.append(("line", String(line))) }
            if let column = flaw.column { details.append(("column", String(column))) }
            if let item = flaw.item { details.append(("item", String(item))) }
            list.tell("set-aside", details + [("reason", flaw.reason)])
        }
    }

    private static func flaws(_ state: FileState?) -> [Flaw] {
        guard let state else { return [] }
        return (state.aside.map { [$0] } ?? []) + state.flaws
    }

    /// Tells that the book is held, or no longer.
    func tellHeld() {
        guard heldSince != nil else { return list.tell("release", []) }
        if case .notOurs(let reason) = standing {
            list.tell("hold", [("reason", reason)])
        } else {
            list.tell("hold", [("reason", hold ?? "")])
        }
    }
}

extension FileState {
    fileprivate var isFlawed: Bool { aside != nil || !flaws.isEmpty }
}
