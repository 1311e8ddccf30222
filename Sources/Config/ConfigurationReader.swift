/// Turns the tree of a file into a configuration, and collects everything that is wrong on the way.
///
/// Where a value is wrong the default stands in, so that the rest can still be looked at; the result counts only
/// if there were no problems.
struct ConfigurationReader {
    let environment: ConfigEnvironment
    var problems: ProblemList
    private let file: String

    init(file: String, environment: ConfigEnvironment) {
        self.file = file
        self.environment = environment
        problems = ProblemList(file: file)
    }

    mutating func read(_ root: TOMLValue) -> Configuration {
        var configuration = Configuration.defaults(environment)
        configuration.file = file
        guard var table = TableReader(root, title: "the configuration", keys: ConfigKey.top, &problems) else {
            return configuration
        }
        if let (name, value) = table.text("name", example: "laptop", &problems) {
            if let flaw = Self.nameFlaw(name) { problems.add(value, "name \(flaw)") }
            configuration.name = name
        }
        if let listen = listen(&table) { configuration.listen = listen }
        if let state = path("state", of: &table, example: "~/.local/state/contactsync") {
            configuration.state = state
        }
        configuration.socket =
            path("socket", of: &table, example: "/run/user/1000/contactsync.sock")
            ?? environment.defaultSocket(state: configuration.state)
        configuration.metricsListen = metricsListen(&table)
        configuration.webListen = webListen(&table, default: configuration.webListen)
        if let reserve = size("disk-reserve", of: &table, example: "128 MiB") {
            configuration.diskReserve = reserve
        }
        let books = table.tables("books", &problems)
        let peers = table.tables("peers", &problems)
        let hooks = table.tables("hooks", &problems)
        table.finish(&problems)
        configuration.books = readBooks(books, state: configuration.state)
        configuration.peers = readPeers(peers, books: books.map(\.key))
        configuration.hooks = readHooks(hooks)
        return configuration
    }

    /// The state directory alone; no other key is looked at.
    mutating func readState(_ root: TOMLValue) -> String {
        guard var table = TableReader(root, title: "the configuration", keys: ConfigKey.top, &problems) else {
            return ""
        }
        return path("state", of: &table, example: "~/.local/state/contactsync") ?? environment.defaultState
    }

    /// A path of a table: absolute, or below `~`.
    mutating func path(_ key: String, of table: inout TableReader, example: String) -> String? {
        guard let (text, value) = table.text(key, example: example, &problems) else { return nil }
        if text.utf8.contains(0) {
            problems.add(value, "\(key) holds a NUL character, which no path has; remove it")
            return nil
        }
        guard let path = PathText.expanded(text, home: environment.home) else {
            problems.add(value, "\(key) \"\(text)\" is not absolute; begin it with / or ~/")
            return nil
        }
        return path
    }

    /// Why a text cannot be the name of a machine, a book or a peer; nil if it can.
    ///
    /// Names travel to peers and stand in status lines and commands.
    static func nameFlaw(_ name: String) -> String? {
        let limit = 64  // bytes; a status line holds it
        if name.isEmpty { return "is empty; give it one" }
        if name.utf8.count > limit { return "is longer than \(limit) bytes; shorten it" }
        if name.hasPrefix("-") { return "begins with a hyphen and would look like an option; change that" }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "holds a control character; remove it"
        }
        return nil
    }

    private mutating func listen(_ table: inout TableReader) -> Configuration.Listen? {
        guard let (text, value) = table.text("listen", example: "[::]:8749", &problems) else { return nil }
        if text == "off" { return .off }
        do throws(HostPort.Flaw) {
            let place = try HostPort(text, defaultPort: Configuration.defaultPort)
            return .at(host: place.host.isEmpty ? "::" : place.host, port: place.port)
        } catch {
            problems.add(value, "listen \"\(text)\": \(error.reason); write it as \"[::]:8749\", or \"off\"")
            return nil
        }
    }
}
