import Config

/// A new configuration that waits for the books it takes away to come to rest.
struct ConfigurationChange {
    let new: Configuration
    let leaving: [Book]
    /// Whether they have, and only the last commit is waited for.
    var isSettled = false
}
