/// One line of `steps.txt`.
struct Step {
    let line: String
    /// Which machine; nil for a step of all.
    let machine: String?
    let verb: Verb
    let arguments: [String]
    /// How often, for `touch` and `sync`.
    let times: Int

    enum Verb: String {
        case put, overwrite, touch, chmod, symlink, mkfifo, mkdir, movedir, stop, start, restart, unmerge,
            remove
        case offline, online, clock, settle, sync, check
        case removeFile = "rm"
        case renameOver = "rename-over"
        case replaceContact = "replace-contact"
        case setModificationTime = "set-mtime"
        case makeWatched = "mkdir-watched"
        case noteIDs = "note-ids"

        /// Whether it could be taken for a deletion, which takes a second look.
        var mayLookLikeDeletion: Bool {
            switch self {
            case .removeFile, .movedir, .makeWatched, .overwrite, .chmod, .remove, .start, .restart: true
            default: false
            }
        }
    }

    /// Reads a line; nil for an empty one or a comment.
    init?(_ line: String) throws {
        var words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first, !first.hasPrefix("#") else { return nil }
        self.line = line
        if ["A", "B", "C", "D", "all"].contains(first) {
            machine = words.removeFirst()
        } else {
            machine = nil
        }
        guard let verb = words.first.flatMap(Verb.init(rawValue:)),
            (machine == nil) == (verb == .sync || verb == .settle && machine == nil)
        else { throw Failure("unknown step: \(line)") }
        words.removeFirst()
        self.verb = verb
        if let last = words.last, let match = last.wholeMatch(of: /x(\d+)/), verb == .sync || verb == .touch {
            times = Int(match.1) ?? 1
            words.removeLast()
        } else {
            times = 1
        }
        arguments = try words.map(Step.unescaped)
    }

    /// `\uXXXX` stands for a character that would be hard to see.
    private static func unescaped(_ word: String) throws -> String {
        word.replacing(/\\u([0-9a-fA-F]{4})/) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) }
                ?? String(match.0)
        }
    }
}
