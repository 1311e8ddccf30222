import Config
import Glibc

/// Words of the configuration that are well written, and mean nothing on this machine.
extension Doctor {
    mutating func lookAtRegions(_ isRegion: (String) -> Bool) {
        for book in configuration.books {
            guard let region = book.region, !isRegion(region) else { continue }
            find(
                .error,
                "\(configuration.file): the region \(region) of the book \(book.name) is no country whose numbers are known, so its numbers without + are never compared; write the two letters of ISO 3166",
                mend: Finding.edit(configuration.file)
            )
        }
    }

    mutating func lookAtHooks() {
        for hook in configuration.hooks {
            guard let program = hook.command.first, unsafe access(program, X_OK) != 0 else { continue }
            find(
                .error,
                "the program of the hook \(hook.name), \(program), cannot be run: \(unsafe String(cString: strerror(errno)))",
                mend: "ls -l \(ShellWord.quoted(program))"
            )
        }
    }
}
