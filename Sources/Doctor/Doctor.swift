package import Config

/// Looks at everything around a daemon that can be wrong before it is: directories, rights, limits, disk, ways to
/// the peers. It changes nothing, and works beside a running daemon.
package struct Doctor {
    let configuration: Configuration
    let userID: UInt32
    var findings: [Finding] = []

    init(_ configuration: Configuration, userID: UInt32) {
        self.configuration = configuration
        self.userID = userID
    }

    /// What is wrong with a machine that has this configuration, in the order in which to mend it.
    ///
    /// - Parameters:
    ///   - userID: the user that runs the daemon.
    ///   - withoutPeers: the peers, by name, that need not be tried, as a daemon is connected to them.
    ///   - isRegion: whether the numbers of a country are known, whose two letters it gets.
    package static func examine(
        _ configuration: Configuration,
        userID: UInt32,
        withoutPeers: Set<String> = [],
        isRegion: (String) -> Bool = { _ in true }
    ) -> [Finding] {
        var doctor = Doctor(configuration, userID: userID)
        doctor.lookAtClock()
        let isRunning = doctor.lookAtState()
        doctor.lookAtRegions(isRegion)
        doctor.lookAtBooks()
        doctor.lookAtHooks()
        doctor.lookAtLimits()
        doctor.lookAtPeers(except: withoutPeers, isRunning: isRunning)
        return doctor.findings
    }

    /// What is wrong with a configuration that cannot be read.
    package static func findings(_ errors: ConfigErrors) -> [Finding] {
        errors.problems.map { problem in
            Finding(.error, problem.description, mend: Finding.edit(problem.file, line: problem.line))
        }
    }

    mutating func find(_ level: Finding.Level, _ what: String, mend: String) {
        findings.append(Finding(level, what, mend: mend))
    }
}
