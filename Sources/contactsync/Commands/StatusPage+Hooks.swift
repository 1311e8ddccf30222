import JSON

extension StatusPage {
    /// Hooks whose last run failed, and where they are mended.
    static func hooks(_ hooks: [JSONValue], _ page: inout Page) {
        for hook in hooks where !hook.text("lastError").isEmpty {
            let name = hook.text("name")
            page.line()
            page.line(
                "HOOK \(name): \(hook.text("lastError")) (\(hook.text("failures")) of \(hook.text("runs")) runs failed)"
            )
            page.line("  mend [hooks.\(name)] in the configuration, then reload with SIGHUP")
        }
    }
}
