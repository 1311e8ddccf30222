import Config

/// A machine as the tests see it.
let laptop = ConfigEnvironment(
    home: "/home/ana",
    hostName: "laptop",
    runtimeDirectory: "/run/user/1000",
    userID: 1000
)

/// Reads a text as the file `c.toml`.
func read(_ text: String, _ environment: ConfigEnvironment = laptop) throws -> Configuration {
    try Configuration.read(text: Array(text.utf8), file: "c.toml", environment: environment)
}

/// What reading a text complains about, a line a problem; nil if it is right.
func complaints(_ text: String) -> String? {
    do throws(ConfigErrors) {
        _ = try Configuration.read(text: Array(text.utf8), file: "c.toml", environment: laptop)
        return nil
    } catch {
        return error.description
    }
}

/// A text with one book whose table has the given lines.
func book(_ lines: String) -> String { "[books.b]\ndirectory = \"/b\"\n\(lines)\n" }

/// Sixty-four hex digits.
let idA = String(repeating: "a1", count: 32)
let idB = String(repeating: "b2", count: 32)
