extension ConfigurationReader {
    /// The `[hooks.…]` tables, sorted by name.
    mutating func readHooks(_ members: [TOMLValue.Member]) -> [Configuration.Hook] {
        let hooks = members.sorted { $0.key < $1.key }.map { readHook($0) }
        return hooks.compactMap(\.self)
    }

    private mutating func readHook(_ member: TOMLValue.Member) -> Configuration.Hook? {
        guard
            var table = TableReader(
                member.value,
                title: "[hooks.\(member.key)]",
                keys: ConfigKey.hook,
                &problems
            )
        else {
            return nil
        }
        if let flaw = Self.nameFlaw(member.key) { problems.add(member.value, "the name of a hook \(flaw)") }
        var hook = Configuration.Hook(name: member.key, command: command(&table, member) ?? [])
        if let value = table.take("events"), let names = texts(value, "events", example: "added") {
            hook.events = []
            for name in names {
                if Configuration.Hook.events.contains(name) {
                    hook.events.insert(name)
                } else {
                    let nearest = EditDistance.nearest(to: name, in: Configuration.Hook.events)
                    problems.add(
                        value,
                        "there is no event \"\(name)\"; "
                            + (nearest.map { "did you mean \"\($0)\"?" }
                                ?? "there are \(Configuration.Hook.events.joined(separator: ", "))")
                    )
                }
            }
        }
        let seconds = 1...3600  // whatever takes longer is no hook but a service
        if let timeout = table.integer("timeout", unit: "seconds", in: seconds, &problems) {
            hook.timeout = timeout
        }
        table.finish(&problems)
        return hook
    }

    private mutating func command(_ table: inout TableReader, _ member: TOMLValue.Member) -> [String]? {
        guard let value = table.take("command") else {
            problems.add(
                member.value,
                "hook \(member.key) has no command; add a line command = [\"/usr/bin/logger\", \"-t\", \"contacts\"]"
            )
            return nil
        }
        guard var words = texts(value, "command", example: "/usr/bin/logger") else { return nil }
        guard let first = words.first, let path = PathText.expanded(first, home: environment.home) else {
            problems.add(
                value,
                "the first word of command must be the path of a program; begin it with / or ~/"
            )
            return nil
        }
        if words.contains(where: { $0.utf8.contains(0) }) {
            problems.add(value, "command holds a NUL character, which no word has; remove it")
            return nil
        }
        words[0] = path
        return words
    }

    private mutating func texts(_ value: TOMLValue, _ key: String, example: String) -> [String]? {
        guard case .array(let elements) = value.content else {
            problems.add(
                value,
                "\(key) must be a list of texts, but is \(value.kindName); write it as \(key) = [\"\(example)\"]"
            )
            return nil
        }
        let texts = elements.compactMap { element in
            if case .string(let text) = element.content { text } else { nil }
        }
        guard texts.count == elements.count, !texts.isEmpty else {
            problems.add(
                value,
                "\(key) must be a list of one text or more; write it as \(key) = [\"\(example)\"]"
            )
            return nil
        }
        return texts
    }
}
