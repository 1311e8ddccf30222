import QRCode

/// What a command says to a person at a terminal while it runs, and asks.
struct Dialogue {
    /// Whether the output is for a script, and talk goes to stderr.
    let toErrors: Bool

    func say(_ line: String) { write(Escaping.escaped(line) + "\n") }

    func draw(_ code: QRCode) { write(QRDrawing.text(code)) }

    /// Shows six digits and asks whether the other machine shows them too; nobody there to answer is a no.
    func confirms(_ digits: String) -> Bool {
        write("\n    \(digits.prefix(3)) \(digits.dropFirst(3))\n\n")
        while true {
            write("Does the other machine show the same digits? [y/n] ")
            guard let line = readLine() else {
                write("\n")
                return false
            }
            switch line.lowercased().filter({ !$0.isWhitespace }) {
            case "y", "yes": return true
            case "n", "no": return false
            default: continue
            }
        }
    }

    private func write(_ text: String) {
        if toErrors { Output.error(text) } else { Output.text(text) }
    }
}
