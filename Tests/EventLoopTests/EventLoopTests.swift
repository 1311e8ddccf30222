import EventLoop
import Glibc
import Testing

@Suite("The loop")
struct EventLoopTests {
    @Test("returns when there is nothing to wait for")
    func empty() throws {
        let loop = try EventLoop()
        loop.run()
    }

    @Test("can be let go without having run")
    func neverRun() throws { _ = try EventLoop() }

    @Test("fires timers in their order, repeating ones until cancelled")
    func timers() throws {
        var fired: [String] = []
        try withLoop { loop in
            loop.after(20) { fired.append("late") }
            loop.after(1) { fired.append("early") }
            loop.after(5) { fired.append("never") }.cancel()
            var count = 0
            var again: LoopTimer?
            again = loop.every(15) {
                count += 1
                if count < 3 { return }
                again?.cancel()
                again?.cancel()
                loop.stop()
            }
        }
        #expect(fired == ["early", "late"])
    }

    @Test("does not fire a timer before its time, however old the turn")
    func notEarly() throws {
        try withLoop { loop in
            loop.after(1) {
                let start = monotonicMilliseconds()
                while monotonicMilliseconds() < start + 15 {}
                let set = monotonicMilliseconds()
                loop.after(10) {
                    #expect(monotonicMilliseconds() + 1 >= set + 10)
                    loop.stop()
                }
            }
        }
    }

    @Test("runs the end of the turn once, after everything that was ready, without sleeping before")
    func endOfTurn() throws {
        var order: [String] = []
        try withLoop { loop in
            var ends: [CInt] = [0, 0]
            #expect(unsafe pipe(&ends) == 0)
            let (readEnd, writeEnd) = (ends[0], ends[1])
            #expect(unsafe write(writeEnd, "x", 1) == 1)
            var watch: DescriptorWatch?
            loop.after(1) {
                order.append("timer")
                loop.atEndOfTurn {
                    order.append("end")
                    loop.atEndOfTurn {
                        order.append("next end")
                        loop.stop()
                    }
                }
                watch = loop.watch(descriptor: readEnd) {
                    order.append("readable")
                    watch?.close()
                    close(readEnd)
                    close(writeEnd)
                }
            }
        }
        #expect(order == ["timer", "readable", "end", "next end"])
    }

    @Test("brings the result of work back to its own thread")
    func work() throws {
        var results: Set<Int> = []
        let here = pthread_self()
        try withLoop { loop in
            for number in 0..<20 {
                loop.work {
                    (number * number, pthread_self())
                } then: { square, there in
                    #expect(there != here)
                    #expect(pthread_self() == here)
                    results.insert(square)
                    if results.count == 20 { loop.stop() }
                }
            }
        }
        #expect(results.count == 20)
    }

    @Test("runs until a start has what it asked for, and then as ever")
    func untilDone() throws {
        let loop = try EventLoop()
        var (answer, ticks) = (0, 0)
        loop.work({ 42 }, then: { answer = $0 })
        loop.run(until: { answer != 0 })
        #expect(answer == 42)
        loop.run(until: { true })
        _ = loop.after(1) { ticks += 1 }
        loop.run()
        #expect(ticks == 1)
    }

    @Test("waits for work at its end, and calls nothing any more")
    func stopWithWork() throws {
        var isCalled = false
        try withLoop { loop in
            for _ in 0..<8 { loop.work({ usleep(2_000) }, then: { isCalled = true }) }
            loop.atEndOfTurn { isCalled = true }
            loop.stop()
        }
        #expect(!isCalled)
    }

    @Test("tells signals")
    func signals() throws {
        try withLoop { loop in
            var watch: SignalWatch?
            watch = loop.signal(SIGUSR2) {
                watch?.close()
                loop.stop()
            }
            loop.atEndOfTurn { kill(getpid(), SIGUSR2) }
        }
    }

    @Test("lets everything go at its end, whatever was open")
    func letsGo() throws {
        weak var captured: Witness?
        try withLoop { loop in
            let witness = Witness()
            captured = witness
            loop.every(1_000) { _ = witness }
            loop.signal(SIGUSR1) { _ = witness }
            loop.onNetworkChange { _ = witness }
            _ = try loop.listen(host: "::", port: 0) { _ in _ = witness }
            try connectPair(loop) { client, server in
                client.onEnd = { _ in _ = (witness, client) }
                client.start()
                server.onBytes = { _ in _ = (witness, server) }
                server.start()
                server.write([UInt8](repeating: 0, count: 8_000_000)) { _ in _ = witness }
                client.pause()
                loop.stop()
            }
        }
        #expect(captured == nil)
    }

    @Test("knows news of the network from other messages")
    func networkMessages() {
        func message(_ type: UInt16, _ body: Int = 4) -> [UInt8] {
            [UInt8(16 + body), 0, 0, 0, UInt8(type), 0] + [UInt8](repeating: 0, count: 10 + body)
        }
        #expect(NetworkWatch.isNews(message(20)))
        #expect(NetworkWatch.isNews(message(16) + message(24)))
        #expect(!NetworkWatch.isNews(message(16) + message(21)))
        #expect(!NetworkWatch.isNews([0, 0, 0, 0, 16] + message(20)))
        #expect(!NetworkWatch.isNews([]))
    }

    @Test("is not used after its end")
    func afterEnd() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop()
            loop.run()
            loop.after(1) {}
        }
    }
}

private final class Witness {}

private func monotonicMilliseconds() -> UInt64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
}
