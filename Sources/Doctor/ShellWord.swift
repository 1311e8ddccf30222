/// Words as a shell takes them, so that commands which are shown can be typed as they stand.
package enum ShellWord {
    /// The word itself, or in single quotes where a shell would change it (POSIX, Shell Command Language, 2.2).
    package static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
                default: "_-./:@%+,=".utf8.contains(byte)
                }
            }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
