import Foundation
import Glibc
import JSON
import Testing

/// What the daemon does not let happen to its disk, and who may look into its state.
@Suite("Guards")
struct GuardTests {
    @Test(
        "With less room than the reserve nothing of peers is taken in, what is done here goes out, and the status says so"
    )
    func reserve() throws {
        try World.with { world in
            let (full, friend) = (try world.add("full"), try world.add("friend"))
            try world.connect()
            full.options.firstLines = ["disk-reserve = \"1000 TiB\""]
            try full.writeConfiguration()
            for machine in [full, friend] { try machine.start() }
            try world.waitConnected()
            try friend.put(SampleCard(1).text, as: "1.json")
            try eventually("the status says why it waits") {
                let shortage = try full.status()["shortage"]?.string ?? "nothing"
                return shortage.contains("disk-reserve is") ? nil : shortage
            }
            #expect(try full.cli("status").out.contains("disk-reserve"))
            try full.put(SampleCard(2).text, as: "2.json")
            try friend.expectCount(2, "what is done here goes out")
            #expect(try full.people().count == 1)

            full.options.firstLines = ["disk-reserve = 1"]
            try full.writeConfiguration()
            try full.restart()
            try full.expectCount(2, "with room it is taken in")
            #expect(try full.status()["shortage"]?.isNull == true)
        }
    }

    @Test("A state that others may open is refused, with the command that mends it")
    func modes() throws {
        try World.with { world in
            let machine = try world.add("A")
            try machine.start()
            try machine.stop()
            for (path, wrong, right) in [
                (machine.state, 0o755, "700"), (machine.state + "/key.pem", 0o640, "600"),
            ] {
                _ = unsafe chmod(path, mode_t(wrong))
                let daemon = try machine.launch()
                #expect(daemon.wait(Patience.start) == 1)
                #expect(machine.logEnd.contains("chmod \(right) \(path)"), "\(machine.logEnd)")
                _ = unsafe chmod(path, mode_t(right, radix: 8) ?? 0)
            }
            try machine.start()
            #expect(Machine.mode(of: machine.state) == 0o700)
            #expect(Machine.mode(of: machine.state + "/key.pem") == 0o600)
            #expect(Machine.mode(of: machine.socket) == 0o600)
        }
    }

    @Test(
        "Another user is not answered, even where the socket lets him in",
        .enabled(if: getuid() == 0 && Executables.tool("socat") != nil && Executables.tool("setpriv") != nil)
    )
    func otherUser() throws {
        try World.with { world in
            let machine = try world.add("A")
            try machine.start()
            _ = unsafe chmod(machine.runtime, 0o755)
            _ = unsafe chmod(machine.socket, 0o666)
            /// What the daemon answers to a user.
            func answer(_ user: Int) throws -> String {
                let out = machine.stage + "/answer-\(user)"
                let line = #"{"jsonrpc":"2.0","id":1,"method":"id"}"#
                let child = try Child(
                    "/bin/sh",
                    [
                        "-c",
                        "echo '\(line)' | setpriv --reuid \(user) --clear-groups socat -t2 - UNIX-CONNECT:\(machine.socket)",
                    ],
                    environment: ["PATH": "/usr/bin:/bin"],
                    directory: "/",
                    output: out,
                    errors: machine.stage + "/errors"
                )
                #expect(child.wait(Patience.answer) != nil)
                return try String(contentsOfFile: out, encoding: .utf8)
            }
            #expect(try answer(0).contains("device"))
            #expect(try answer(65_534).isEmpty)
        }
    }
}
