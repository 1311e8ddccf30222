import Glibc

/// The kind of a file system, as the kernel's table of mounts names it (proc_pid_mountinfo(5)).
struct FileSystem {
    let name: String

    private static let networks: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "9p", "afs", "ceph", "fuse.sshfs", "fuse.rclone", "davfs",
        "fuse.davfs2",
    ]
    private static let withoutModes: Set<String> = ["vfat", "msdos", "exfat", "fuseblk", "ntfs", "ntfs3"]

    /// Whether others change it without this kernel's knowing.
    var isNetwork: Bool { Self.networks.contains(name) }

    /// Whether files have owners, and two of them can be swapped at once.
    var hasModes: Bool { !Self.withoutModes.contains(name) }

    /// The file system that a path lies on: of the mounts above it the longest, of equal ones the last.
    static func kind(of path: String) -> FileSystem? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        guard let table = SmallFile.text("/proc/self/mountinfo") else { return nil }
        return kind(of: unsafe String(cString: real), in: table)
    }

    static func kind(of path: String, in table: String) -> FileSystem? {
        var best: (length: Int, name: String)?
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else {
                continue
            }
            let mount = unescaped(fields[4])
            guard path == mount || mount == "/" || path.hasPrefix(mount + "/") else { continue }
            if mount.utf8.count >= best?.length ?? 0 { best = (mount.utf8.count, String(fields[dash + 1])) }
        }
        return best.map { FileSystem(name: $0.name) }
    }

    /// Blanks and the like stand there as `\040`.
    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing("\\040", with: " ").replacing("\\011", with: "\t").replacing(
            "\\134",
            with: "\\"
        )
    }
}
