import Glibc

extension Configuration {
    /// The file for everyone on the machine.
    private static let systemFile = "/etc/contactsync/config.toml"

    /// A file to start from, shown to whoever has none.
    package static let sample = """
        name = "laptop"

        [books.personal]
        directory = "~/Contacts"
        region = "DE"

        # [peers.desktop]
        # id = "what `contactsync id` prints there"
        # address = "desktop.lan:8749"
        # books = ["personal"]
        """

    /// Says which file counts: the one asked for, else the user's, else the machine's.
    ///
    /// A file that exists counts even if it cannot be read: falling through to another one would run with
    /// settings nobody asked for. Throws, with a sample to start from, if there is none.
    package static func find(
        explicit: String?,
        environment: ConfigEnvironment
    ) throws(ConfigErrors) -> String {
        if let explicit {
            guard exists(explicit) else {
                let message = "there is no such file; write it, or name another one with --config"
                throw ConfigErrors([ConfigProblem(file: explicit, message: message)])
            }
            return explicit
        }
        let candidates = [environment.userConfigFile, systemFile]
        if let found = candidates.first(where: exists) { return found }
        let message = """
            there is no configuration: neither \(candidates[0]) nor \(candidates[1]) exists. \
            Write the first one, starting from this:

            \(sample)
            """
        throw ConfigErrors([ConfigProblem(file: candidates[0], message: message)])
    }

    private static func exists(_ path: String) -> Bool {
        // Only "there is none" lets the search go on; see stat(2).
        var status = stat()
        return unsafe stat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }
}
