import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// The daemon as a service: what its manager hears and passes, and where its log goes.
@Suite("A service manager")
struct ServiceTests {
    @Test("hears that the daemon is ready, how things are, that it reads again, is not stuck, and stops")
    func notices() throws {
        try World.with { world in
            let manager = try Manager(world)
            var options = MachineOptions()
            options.daemonEnvironment = ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "400000"]
            let a = try world.add("A", options)
            try a.start()
            let ready = try manager.hear("it is ready") { $0.hasPrefix("READY=1\n") }
            #expect(
                ready
                    == "READY=1\nSTATUS=1 book, 0 contacts, 0 of 0 peers connected; nothing needs you\n"
            )
            try manager.hear("the loop turns") { $0 == "WATCHDOG=1\n" }
            try manager.hear("the loop turns still") { $0 == "WATCHDOG=1\n" }

            try a.put(SampleCard(1).text, as: "1.json")
            try a.put("{", as: "broken.json")
            try manager.hear("what needs a person is said") {
                $0
                    == "STATUS=1 book, 1 contact, 0 of 0 peers connected; 1 file of personal cannot be read: see `contactsync status`\n"
            }

            let before = monotonicMicroseconds()
            a.hangUp()
            let reloading = try manager.hear("it reads again") {
                $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=")
            }
            let time = reloading.split(separator: "=").last.flatMap { UInt64($0.dropLast()) } ?? 0
            #expect((before...monotonicMicroseconds()).contains(time))
            try manager.hear("it has read") { $0 == "READY=1\n" }

            try a.stop()
            manager.listen()
            #expect(manager.heard.last == "STOPPING=1\n")
        }
    }

    @Test(
        "opens the control socket: it is there before the daemon and after it",
        .enabled(if: perl != nil)
    )
    func socketActivation() throws {
        try World.with { world in
            let a = try world.add("A")
            a.options.launcher = try launcher(a, name: "contactsync")
            try a.start()
            #expect(try a.cli("status", "--json").json?["name"]?.string == "A")
            try a.stop()
            #expect(Machine.mode(of: a.socket) != nil, "what the manager made stays")
        }
    }

    @Test("that opens something else is refused with what to do", .enabled(if: perl != nil))
    func wrongSocket() throws {
        try World.with { world in
            let a = try world.add("A")
            a.options.launcher = try launcher(a, name: "something")
            let child = try a.launch()
            defer { child.signal(SIGKILL) }
            #expect(child.wait(Patience.start) == 1)
            #expect(a.logEnd.contains("\"something\"") && a.logEnd.contains("FileDescriptorName=contactsync"))
        }
    }

    @Test("with a journal gets entries with fields", .enabled(if: Executables.unshare != nil))
    func journal() throws {
        try World.with { world in
            let journal = world.root + "/journal"
            try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: true)
            guard let receiver = DatagramReceiver(journal + "/socket") else { throw Failure("no socket") }
            let b = try world.add("B")
            let a = try world.add("A")
            try world.connect()
            a.options.hasOwnMounts = true
            a.options.launcher = [
                "/bin/sh", "-c",
                "mount -t tmpfs none /run && mkdir -p /run/systemd/journal && mount --bind \"$0\" /run/systemd/journal && exec \"$@\"",
                journal,
            ]
            try Data().write(to: URL(filePath: a.log))
            var info = stat()
            unsafe stat(a.log, &info)
            a.options.daemonEnvironment = ["JOURNAL_STREAM": "\(info.st_dev):\(info.st_ino)"]
            try b.start()
            try a.start()
            try world.waitConnected()
            let session = try a.status()["peers"]?.array?.first?["session"]?.string ?? "none"
            var entries: [String] = []
            try waitUntil("the journal hears of the peer") {
                while let entry = receiver.nextText() { entries.append(entry) }
                return entries.contains { $0.contains("connected, session") }
            }
            let connected = entries.first { $0.contains("connected, session") } ?? ""
            #expect(
                connected
                    == "MESSAGE=B: connected, session \(session)\nPRIORITY=6\nSYSLOG_IDENTIFIER=contactsyncd\nPEER=B\nSESSION=\(session)\n"
            )
            try a.stop()
            #expect(try String(contentsOfFile: a.log, encoding: .utf8) == "", "nothing is said twice")
        }
    }

    private static let perl = Executables.tool("perl")

    /// Opens a socket and passes it on, as sd_listen_fds(3) says. (systemd's own `systemd-socket-activate` closes what
    /// Foundation watches its children by.)
    private func launcher(_ machine: Machine, name: String) throws -> [String] {
        guard let perl = Self.perl else { throw Failure("no perl") }
        let script = """
            use Socket; use POSIX; $^F = 255; my ($path, $name, $socket) = splice(@ARGV, 0, 2);
            socket($socket, AF_UNIX, SOCK_STREAM, 0) && bind($socket, sockaddr_un($path)) or die $!;
            chmod 0600, $path; listen($socket, 8) && POSIX::dup2(fileno($socket), 3) or die $!;
            @ENV{"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"} = ($$, 1, $name);
            exec @ARGV;
            """
        return [perl, "-e", script, machine.socket, name]
    }

    private func monotonicMicroseconds() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }
}
