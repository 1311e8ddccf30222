import Glibc

/// Paths as text: `~`, dots and double slashes.
enum PathText {
    /// The absolute path that a person meant, or nil if it is relative or names another user's home.
    static func expanded(_ text: String, home: String) -> String? {
        if text == "~" { return normalised(home) }
        if text.hasPrefix("~/") { return normalised(home + text.dropFirst(1)) }
        return text.hasPrefix("/") ? normalised(text) : nil
    }

    /// An absolute path without `.`, `..`, empty parts, and slash at the end. The disk is not asked.
    static func normalised(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Whether `path` is `other`, or lies anywhere below it. Both are normalised.
    static func isSameOrBelow(_ path: String, _ other: String) -> Bool {
        path == other || path.hasPrefix(other == "/" ? "/" : other + "/")
    }

    /// Where a path leads when the links in its existing part are followed: two names for one directory are
    /// one place.
    static func resolved(_ path: String) -> String {
        var existing = path
        var missing: [Substring] = []
        while existing != "/" {
            if let real = unsafe realpath(existing, nil) {
                defer { unsafe free(real) }
                return normalised(unsafe String(cString: real) + "/" + missing.joined(separator: "/"))
            }
            let slash = existing.lastIndex(of: "/") ?? existing.startIndex
            missing.insert(existing[existing.index(after: slash)...], at: 0)
            existing = slash == existing.startIndex ? "/" : String(existing[..<slash])
        }
        return path
    }
}
