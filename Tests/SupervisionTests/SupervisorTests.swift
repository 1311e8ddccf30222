import Glibc
import Supervision
import TestSupport
import Testing

@Suite("The service manager")
struct SupervisorTests {
    private func supervisor(_ variables: [String: String]) -> Supervisor {
        Supervisor({ variables[$0] }, processID: 42)
    }

    @Test("hears several notices as one message")
    func notices() throws {
        let receiver = try receiver()
        let supervisor = supervisor(["NOTIFY_SOCKET": receiver.path])
        #expect(supervisor.isPresent)
        supervisor.say(.ready, .status("2 books\nand a line too many"))
        supervisor.say(.reloading(since: 1_234_567))
        supervisor.say(.watchdog)
        supervisor.say(.stopping)
        #expect(receiver.nextText() == "READY=1\nSTATUS=2 books\n")
        #expect(receiver.nextText() == "RELOADING=1\nMONOTONIC_USEC=1234567\n")
        #expect(receiver.nextText() == "WATCHDOG=1\n")
        #expect(receiver.nextText() == "STOPPING=1\n")
        #expect(receiver.nextText() == nil)
    }

    @Test(
        "is not there without a socket, or with one that cannot be reached",
        arguments: [
            nil, "", "relative", "vsock:2:1234", "/nonexistent/notify", "@contactsync-nobody-listens",
        ]
    )
    func absent(path: String?) {
        let supervisor = supervisor(path.map { ["NOTIFY_SOCKET": $0, "WATCHDOG_USEC": "1000000"] } ?? [:])
        #expect(!supervisor.isPresent)
        #expect(supervisor.watchdog == nil)
        supervisor.say(.ready)
    }

    @Test("watches this process, not another one")
    func watchdog() throws {
        let receiver = try receiver()
        func interval(_ more: [String: String]) -> UInt64? {
            supervisor(more.merging(["NOTIFY_SOCKET": receiver.path]) { $1 }).watchdog
        }
        #expect(interval(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "42"]) == 3_000_000)
        #expect(interval(["WATCHDOG_USEC": "3000000"]) == 3_000_000)
        #expect(interval(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "43"]) == nil)
        #expect(interval(["WATCHDOG_USEC": "0"]) == nil)
        #expect(interval(["WATCHDOG_USEC": "soon"]) == nil)
        #expect(interval([:]) == nil)
    }

    @Test("passes sockets to this process, not to another one")
    func sockets() {
        func passed(_ pid: String, _ count: String, _ names: String? = nil) -> [PassedSocket] {
            var variables = ["LISTEN_PID": pid, "LISTEN_FDS": count]
            variables["LISTEN_FDNAMES"] = names
            return supervisor(variables).sockets
        }
        #expect(passed("42", "2", "a:contactsync").map(\.name) == ["a", "contactsync"])
        #expect(passed("42", "2", "a:contactsync").map(\.descriptor) == [3, 4])
        #expect(passed("42", "1").map(\.name) == [""])
        #expect(passed("42", "2", "one name").map(\.name) == ["", ""])
        #expect(passed("43", "1", "contactsync").isEmpty)
        #expect(passed("42", "0").isEmpty)
        #expect(passed("42", "-1").isEmpty)
        #expect(passed("42", "99999").isEmpty)
    }
}
