import Foundation
import JSON
import Testing

/// What the daemon says in numbers.
@Suite("Metrics")
struct MetricsTests {
    @Test("`metrics` and `metrics-listen` say the same numbers, in a form that promtool accepts")
    func numbers() throws {
        try World.with { world in
            let (a, b) = (try world.add("A"), try world.add("B"))
            let port = try Ports.free()
            a.options.firstLines = ["metrics-listen = \":\(port)\""]
            a.options.lastLines = ["[hooks.\"odd \\\"name\\\\\"]", "command = [\"/bin/true\"]"]
            try world.connect()
            for machine in world.machines { try machine.start() }
            try world.waitConnected()
            for index in 1...3 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try a.put(SampleCard(4, name: "Person 001", phone: "020 7946 0001").text, as: "4.json")
            try b.expectCount(3, "all arrive")
            try a.put("{", as: "bad.json")
            try a.settle()

            let text = try a.must("metrics").out
            let metrics = try MetricsReader(text).samples
            func expect(_ key: String, _ fits: (Double) -> Bool) {
                #expect(
                    metrics["contactsync_" + key].map(fits) == true,
                    "\(key): \(metrics["contactsync_" + key] ?? .nan)"
                )
            }
            expect("contacts{book=\"personal\"}") { $0 == 3 }
            expect("files{book=\"personal\"}") { $0 == 4 }
            expect("set_aside_files{book=\"personal\"}") { $0 == 1 }
            expect("merged_records{book=\"personal\"}") { $0 == 1 }
            expect("conflicts{book=\"personal\"}") { $0 == 0 }
            expect("peer_connected{peer=\"B\"}") { $0 == 1 }
            expect("peer_lag_records{peer=\"B\",book=\"personal\",direction=\"send\"}") { $0 == 0 }
            expect("peer_lag_records{peer=\"B\",book=\"personal\",direction=\"receive\"}") { $0 == 0 }
            expect("peer_sent_bytes_total{peer=\"B\"}") { $0 > 1000 }
            expect("peer_received_bytes_total{peer=\"B\"}") { $0 > 500 }
            expect("commit_duration_seconds_count") { $0 > 0 }
            expect("commit_duration_seconds_sum") { $0 > 0 }
            expect("scan_duration_seconds_count{book=\"personal\"}") { $0 >= 1 }
            expect("loop_delay_seconds_count") { $0 > 10 }
            expect("hook_runs_total{hook=\"odd \\\"name\\\\\"}") { $0 > 0 }

            let served = try HTTPAnswer.get("/metrics", port: port)
            #expect(served.status == 200)
            #expect(served.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(Set(try MetricsReader(served.body).samples.keys) == Set(metrics.keys))

            guard let promtool = Executables.tool("promtool") else { return }
            try text.write(toFile: world.root + "/metrics", atomically: true, encoding: .utf8)
            let check = try Child(
                "/bin/sh",
                ["-c", "\"$0\" check metrics <\"$1\"", promtool, world.root + "/metrics"],
                environment: a.environment(forDaemon: false),
                directory: world.root,
                output: world.root + "/said",
                errors: world.root + "/said"
            )
            let exit = check.wait(Patience.answer)
            let said = try String(contentsOfFile: world.root + "/said", encoding: .utf8)
            #expect(exit == 0 && said.isEmpty, "promtool: \(said)")
        }
    }

    @Test("The server of metrics reads only, and answers on loopback to loopback's names only")
    func server() throws {
        try World.with { world in
            let a = try world.add("A")
            let port = try Ports.free()
            a.options.firstLines = ["metrics-listen = \"127.0.0.1:\(port)\""]
            try a.writeConfiguration()
            try a.start()
            func status(_ target: String, host: String? = nil, method: String = "GET", more: String = "")
                throws
                -> Int
            {
                try HTTPAnswer.get(target, port: port, host: host, method: method, more: more).status
            }
            #expect(try status("/metrics") == 200)
            #expect(try status("/metrics", method: "HEAD") == 200)
            #expect(try status("/") == 404)
            for host in ["localhost:\(port)", "LOCALHOST", "[::1]:\(port)", "127.0.0.1"] {
                #expect(try status("/metrics", host: host) == 200, "\(host)")
            }
            for host in [
                "evil.example:\(port)", "127.0.0.1.evil.example", "localhost.evil.example", "", "[::1",
            ] {
                #expect(try status("/metrics", host: host) != 200, "\(host)")
            }
            for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
                #expect(try status("/metrics", method: method) == 405, "\(method)")
            }
            #expect(try status("/metrics", method: "POST", more: "Content-Length: 1000000\r\n") == 405)
            // What is no HTTP, or endless, costs its connection only.
            for bytes in ["hello\r\n\r\n", "GET /metrics HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n"] {
                let answer = try HTTPAnswer.send(Array(bytes.utf8), port: port)
                #expect(!String(decoding: answer, as: UTF8.self).contains(" 200 "))
            }
            let long = "GET /metrics?" + String(repeating: "x", count: 100_000) + " HTTP/1.1\r\n"
            #expect(
                try !String(decoding: HTTPAnswer.send(Array(long.utf8), port: port), as: UTF8.self).contains(
                    " 200 "
                )
            )
            #expect(try status("/metrics") == 200)
            #expect(try a.cli("status").exit == 0)
        }
    }
}
