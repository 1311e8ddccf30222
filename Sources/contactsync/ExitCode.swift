/// What scripts are told.
enum ExitCode: Int32 {
    /// Done, or yes.
    case done = 0
    /// No, or not found.
    case no = 1
    /// The command line or the configuration is wrong.
    case usage = 2
    /// The daemon is not running.
    case notRunning = 3
    /// Refused.
    case refused = 4
}
