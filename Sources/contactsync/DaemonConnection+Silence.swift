import JSON

extension DaemonConnection {
    /// Milliseconds without an answer, after which it is looked why.
    static let silence = 5000
    /// Seconds within which a daemon that is alive says how it is, whatever else it works on.
    private static let pulse = 5

    /// Waits a little for the answer; looks why, if it does not come.
    ///
    /// A daemon that is stopped or hangs keeps its socket: asking it would take for ever, and be no sign to anyone.
    ///
    /// - Parameter storing: whether what was asked waits for nothing but the daemon; then a disk that takes
    ///   nothing is the reason.
    /// - Throws: the reason, with exit code 3 if the daemon answers nobody.
    func explainSilence(storing: Bool) throws(Failure) {
        guard !isReady(within: Self.silence) else { return }
        var other = try DaemonConnection.open(path: path)
        try other.send(Self.request("status", JSONObject()))
        guard other.isReady(within: Self.pulse * 1000) else {
            throw Failure(
                .notRunning,
                "contactsyncd runs but answers nobody, for \(Self.silence / 1000 + Self.pulse) s now: it is stopped, or hangs. "
                    + "Start it anew with `systemctl --user restart contactsync`, or end the process and run `contactsyncd`"
            )
        }
        let status = try other.answer(to: "status", patience: Self.pulse)
        let failure = status.text("failure")
        guard storing, !failure.isEmpty, !isReady(within: 0) else { return }
        throw Failure(
            .no,
            "nothing can be stored now: \(failure). It is done as soon as it can be; `contactsync status` says what to do"
        )
    }
}
