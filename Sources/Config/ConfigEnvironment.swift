/// What a configuration takes from the process that reads it; this room reads no environment itself.
package struct ConfigEnvironment: Hashable, Sendable {
    /// Where `~` leads; absolute.
    package var home: String
    /// The name shown to peers if the file gives none.
    package var hostName: String
    /// `$XDG_RUNTIME_DIR`.
    package var runtimeDirectory: String?
    /// `$XDG_STATE_HOME`.
    package var stateHome: String?
    /// `$XDG_CONFIG_HOME`.
    package var configHome: String?
    /// The user that runs the process.
    package var userID: UInt32

    /// Takes the values as the process has them.
    ///
    /// A variable that is empty or holds a relative path counts as not set, as the XDG Base Directory
    /// Specification asks.
    package init(
        home: String,
        hostName: String,
        runtimeDirectory: String? = nil,
        stateHome: String? = nil,
        configHome: String? = nil,
        userID: UInt32
    ) {
        func absolute(_ path: String?) -> String? { path?.hasPrefix("/") == true ? path : nil }
        self.home = home
        self.hostName = hostName
        self.runtimeDirectory = absolute(runtimeDirectory)
        self.stateHome = absolute(stateHome)
        self.configHome = absolute(configHome)
        self.userID = userID
    }

    var userConfigFile: String {
        PathText.normalised((configHome ?? home + "/.config") + "/contactsync/config.toml")
    }

    var defaultState: String {
        PathText.normalised((stateHome ?? home + "/.local/state") + "/contactsync")
    }

    func defaultSocket(state: String) -> String {
        PathText.normalised((runtimeDirectory ?? state) + "/contactsync.sock")
    }
}
