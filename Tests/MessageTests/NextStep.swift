/// Whether a message says what to do next.
enum NextStep {
    /// What a person is told to do, at the beginning of a clause.
    private static let verbs: Set<String> = [
        "add", "ask", "begin", "bring", "change", "check", "choose", "close", "copy", "correct", "decide",
        "delete", "free", "give", "install", "invite", "leave", "look", "make", "mend", "move", "name",
        "open", "place",
        "pair", "put", "quote", "remove", "rename", "repeat", "run", "say", "see", "send", "set", "shorten",
        "split", "start", "stop", "try", "type", "unlock", "use", "wait", "write",
    ]
    /// What the machine does by itself.
    private static let ownSteps = [
        "it is tried again", "is tried again", "and a new one begun", "start the daemon anew",
        "it is looked at every",
    ]

    static func isIn(_ message: String) -> Bool {
        if ["`contactsync ", "did you mean", "usage: contactsync"].contains(where: { message.contains($0) }) {
            return true
        }
        if ownSteps.contains(where: { message.contains($0) }) { return true }
        // A message begins with what happened; the step is a clause after it.
        return message.split { ";.,:\n".contains($0) }.dropFirst().contains { clause in
            let words = clause.split { " `".contains($0) }.map { $0.lowercased() }
            return words.first.map {
                verbs.contains($0) || $0 == "or" && words.count > 1 && verbs.contains(words[1])
            }
                ?? false
        }
    }

    /// Whether a message is a number and hardly a word.
    static func isRawCode(_ message: String) -> Bool {
        let words = message.split { !$0.isLetter }.filter { $0.count > 1 }
        return words.count < 3
    }
}
