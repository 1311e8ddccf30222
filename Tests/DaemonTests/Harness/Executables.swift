import Foundation

/// Where the programs under test lie.
enum Executables {
    /// The path of `contactsyncd` or `contactsync`: in `CONTACTSYNC_BIN`, else beside the test bundle.
    static func path(_ name: String) throws -> String {
        for directory in directories {
            let path = directory + "/" + name
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw Failure("\(name) is not in \(directories.joined(separator: " or "))")
    }

    /// An installed program of the system, or nil.
    static func tool(_ name: String) -> String? {
        ["/usr/bin", "/bin", "/usr/local/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The library that shifts a process's clock, or nil where it is not installed or cannot be had: it and the
    /// address sanitizer catch the same calls and end in each other.
    static let clockShifter: String? = {
        if ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil { return nil }
        let roots = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
        return roots.map { "\($0)/faketime/libfaketimeMT.so.1" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }()

    /// How to give a process mounts of its own: as root, or with users of its own too; nil where neither is allowed.
    static let unshare: [String]? = {
        guard let unshare = tool("unshare"), tool("nsenter") != nil, tool("mount") != nil else { return nil }
        return [[unshare, "-m"], [unshare, "-rm"]].first { line in
            let trial = try? Child(
                line[0],
                Array(line.dropFirst()) + ["mount", "-t", "tmpfs", "none", "/mnt"],
                environment: ["PATH": "/usr/bin:/bin"],
                directory: "/",
                output: "/dev/null",
                errors: "/dev/null"
            )
            return trial?.wait(Patience.answer) == 0
        }
    }()

    private static let directories: [String] = {
        if let given = ProcessInfo.processInfo.environment["CONTACTSYNC_BIN"] { return [given] }
        let programs = [
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            CommandLine.arguments.first,
        ]
        let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return programs.compactMap { $0 }.map { URL(filePath: $0).deletingLastPathComponent().path }
            + [checkout.appending(path: ".build/debug").path]
    }()
}
