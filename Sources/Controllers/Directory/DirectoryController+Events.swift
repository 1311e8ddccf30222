import AddressBook
import JSON

/// What is told of a directory: files set aside and mended, the book held and released.
extension DirectoryController {
    /// Tells what is wrong with a file that was not wrong before, or that nothing is any more.
    func tellFlaws(of name: ExactString, in state: FileState?) {
        let known = toldFlaws[name]
        guard known != nil || state?.isFlawed ?? false else { return }
        let flaws = state?.allFlaws ?? []
        toldFlaws[name] = flaws.isEmpty ? nil : flaws
        if flaws.isEmpty { return list.tell("mended", [("file", name.text)]) }
        for flaw in flaws where !(known?.contains(flaw) ?? false) {
            var details = [("file", name.text)]
            if let line = flaw.line { details.append(("line", String(line))) }
            if let column = flaw.column { details.append(("column", String(column))) }
            if let item = flaw.item { details.append(("item", String(item))) }
            list.tell("set-aside", details + [("reason", flaw.reason)])
        }
    }

    /// What was wrong at the last end is no news.
    func noteToldFlaws() {
        for (name, state) in files.flawed { toldFlaws[name] = state.allFlaws }
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
    fileprivate var allFlaws: [Flaw] { (aside.map { [$0] } ?? []) + flaws }
}
