import Glibc

/// What can be done with the two streams.
struct Terminal {
    /// Whether output stands on a terminal that is not dumb, so that it can be drawn over.
    var isScreen = false
    /// Whether colours are wanted there: not with `NO_COLOR` (https://no-color.org).
    var hasColour = false
    /// Whether errors stand on such a terminal, so that waiting can be shown there.
    var showsWaiting = false

    /// A file, a pipe, or a terminal that shows text and nothing else.
    static let none = Terminal()

    /// Looks at the streams.
    static func current(_ variable: (String) -> String?) -> Terminal {
        let name = variable("TERM") ?? ""
        let canDraw = !name.isEmpty && name != "dumb"
        let isScreen = canDraw && isatty(STDOUT_FILENO) == 1
        return Terminal(
            isScreen: isScreen,
            hasColour: isScreen && (variable("NO_COLOR") ?? "").isEmpty,
            showsWaiting: canDraw && isatty(STDERR_FILENO) == 1
        )
    }

    /// Columns and rows of the terminal behind a stream.
    static func size(of descriptor: CInt) -> (columns: Int, rows: Int) {
        var size = winsize()
        let usual = (columns: 80, rows: 24)
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return usual
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
