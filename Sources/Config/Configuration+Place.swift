extension Configuration {
    /// A numeric address and a port to listen on.
    package struct Place: Sendable, Hashable {
        /// Without brackets.
        package var host: String
        /// 0 is any free one.
        package var port: UInt16

        package init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }

        /// Whether only this machine can come here.
        package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }
    }
}
