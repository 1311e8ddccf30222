import JSON

extension FolderWatch {
    /// What one drain found. Each name occurs once in a list; the last event decides between changed and gone.
    ///
    /// Lists and not sets of strings, as a set would take a composed and a decomposed spelling for one name.
    package struct Report: Sendable {
        /// A save ended under these names, or they were moved in or made.
        package var names: [String] { sorted(.changed) }
        /// These were deleted or moved away.
        package var gone: [String] { sorted(.gone) }
        /// Mode, owner, times or attributes of these changed, nothing else.
        package var attributes: [String] { sorted(.attributes) }
        /// A save ended into these old files: their `OldFile.temporaryName`. Settle them.
        package var temporaries: [String] { sorted(.temporary) }
        /// Events were lost, or too many names changed: look at everything.
        package var overflow = false
        /// The directory was deleted, moved away or unmounted.
        package var folderLost = false
        /// The directory may be back or another one, or its own mode changed: `rearm`, and look at it.
        package var folderTouched = false

        /// Whether nothing has happened.
        package var isEmpty: Bool { changes.isEmpty && !overflow && !folderLost && !folderTouched }

        private var changes: [ExactString: Change] = [:]

        init() {}

        enum Change { case changed, gone, attributes, temporary }

        mutating func insert(_ name: String, _ change: Change) {
            let key = ExactString(name)
            guard changes[key] != nil || changes.count < FolderWatch.maxNames else {
                overflow = true
                return
            }
            // Attributes say less than what is known already.
            if change == .attributes, changes[key] != nil { return }
            changes[key] = change
        }

        private func sorted(_ change: Change) -> [String] {
            changes.filter { $0.value == change }.keys.sorted().map(\.text)
        }
    }
}
