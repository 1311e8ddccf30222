import EventLoop
import Glibc
import Testing

@Suite("A program that is run")
struct ChildProcessTests {
    /// Runs a line of shell, and returns how it ended.
    private static func end(_ line: String, input: String = "", kill: Bool = false) throws -> ChildProcess
        .End?
    {
        var outcome: ChildProcess.End?
        try withLoop { loop in
            let process = try loop.run(["/bin/sh", "-c", line], input: Array(input.utf8)) { end in
                outcome = end
                loop.stop()
            }
            if kill { loop.after(50) { process.kill() } }
        }
        return outcome
    }

    @Test("gets its input and an end after it, and its exit status is told")
    func input() throws {
        #expect(
            try Self.end("test \"$(cat)\" = 'a line of input'", input: "a line of input\n")
                == .exited(code: 0)
        )
        #expect(try Self.end("cat >/dev/null; exit 7", input: "x") == .exited(code: 7))
        // One that does not read, and more than a socket holds.
        #expect(try Self.end("exit 3", input: String(repeating: "x", count: 1 << 20)) == .exited(code: 3))
        #expect(try Self.end("kill -TERM $$") == .killed(signal: SIGTERM))
    }

    @Test("is killed with all that it started")
    func kill() throws {
        let start = ContinuousClock.now
        // The shell waits for the inner one, which would hold on were it not killed too.
        #expect(try Self.end("sleep 30 & sleep 30; true", kill: true) == .killed(signal: SIGKILL))
        #expect(ContinuousClock.now < start + .seconds(20))
    }

    @Test("that is not there is an error, and the loop goes on")
    func missing() throws {
        var error: LoopError?
        var goesOn = false
        try withLoop { loop in
            do throws(LoopError) { _ = try loop.run(["/no/such/program"], input: []) { _ in } } catch let
                thrown
            {
                error = thrown
            }
            loop.after(1) {
                goesOn = true
                loop.stop()
            }
        }
        #expect(error?.name == "ENOENT" && error?.operation == "run /no/such/program")
        #expect(goesOn)
    }

    @Test("does not hold up the end of the loop, and ends with it")
    func loopEnds() throws {
        var told = false
        let start = ContinuousClock.now
        try withLoop { loop in
            _ = try loop.run(["/bin/sleep", "600"], input: []) { _ in told = true }
            loop.after(10) { loop.stop() }
        }
        #expect(!told && ContinuousClock.now < start + .seconds(60))
    }

    @Test("The time for which the loop is at work is told, without that for which it sleeps")
    func busy() throws {
        var longest = Duration.zero
        try withLoop { loop in
            let clock = loop.measure { longest = max(longest, $0) }
            loop.after(100) {
                let start = ContinuousClock.now
                while ContinuousClock.now < start + .milliseconds(60) {}
                loop.after(300) {
                    clock.close()
                    loop.stop()
                }
            }
        }
        #expect(longest >= .milliseconds(59) && longest < .milliseconds(290))
    }
}
