import Config
import Glibc
import JSON

extension Command {
    static let web = Command(
        name: "web",
        summary: "opens a page to look at: books, peers, duplicates, conflicts and history, for reading",
        action: .local(openPage)
    )

    private static func openPage(
        _ invocation: Invocation,
        _ surroundings: Surroundings
    ) throws(Failure) -> ExitCode {
        let result = try surroundings.ask(invocation)
        let link = result.text("link")
        Output.result(result, json: invocation.json) { _, page in page.line(link) }
        if !invocation.json, isatty(STDOUT_FILENO) == 1 { Browser.open(link, in: surroundings) }
        return .done
    }
}

/// The browser of whoever sits in front of this machine.
private enum Browser {
    /// Shows a page where there is a screen; where there is none, or no browser, the printed link has to do.
    ///
    /// The link is not an argument, as every user of the machine can read those: a file of this user leads there.
    static func open(_ link: String, in surroundings: Surroundings) {
        let hasScreen = unsafe getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil
        guard hasScreen, let directory = surroundings.environment.runtimeDirectory else { return }
        let path = directory + "/contactsync-web.html"
        // What is in the link is ours: an address, and digits.
        let page = "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=\(link)\">\n"
        _ = unsafe unlink(path)
        let file = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { _ = close(file) }
        let bytes = Array(page.utf8)
        guard unsafe write(file, bytes, bytes.count) == bytes.count else { return }
        start("xdg-open", path)
    }

    /// Starts a program beside us; what it says is its own matter.
    private static func start(_ program: String, _ argument: String) {
        let words = unsafe [strdup(program), strdup(argument), nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var process = pid_t()
        _ = unsafe posix_spawnp(&process, program, nil, nil, words, environ)
    }
}
