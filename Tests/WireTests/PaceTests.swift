import JSON
import Testing

@testable import Wire

@Suite("Pace")
struct PaceTests {
    @Test("as many messages come at once as the burst allows, and then so many a second")
    func messages() throws {
        var pace = PeerPace()
        for _ in 0..<WireLimits.messageBurst { try pace.took(.ack, now: 1000) }
        #expect(throws: WireError.tooFast(.ack, perSecond: WireLimits.messagesPerSecond)) {
            try pace.took(.ack, now: 1000)
        }
        for _ in 0..<WireLimits.messagesPerSecond { try pace.took(.ack, now: 2000) }
        #expect(throws: WireError.self) { try pace.took(.ack, now: 2000) }
    }

    @Test("comparisons have a rate of their own, which a pair that heals does not reach")
    func comparisons() throws {
        var pace = PeerPace()
        for _ in 0..<WireLimits.comparisonBurst { try pace.took(.buckets, now: 0) }
        #expect(throws: WireError.tooFast(.buckets, perSecond: WireLimits.comparisonsPerSecond)) {
            try pace.took(.buckets, now: 0)
        }
        try pace.took(.list, now: 0)
        var healing = PeerPace()
        for n in 0..<10_000 { try healing.took(.buckets, now: UInt64(n) * FeedMachine.rest) }
    }

    @Test("a clock that stands, or comes back after years, gives no more than the burst")
    func clock() {
        var allowance = Allowance(perSecond: 2, burst: 3)
        func takeAll(_ now: UInt64) -> Int {
            var count = 0
            while allowance.take(now: now) { count += 1 }
            return count
        }
        #expect(takeAll(5) == 3)
        #expect(takeAll(5) == 0)
        #expect(takeAll(504) == 0)
        #expect(takeAll(505) == 1)
        #expect(takeAll(.max) == 3)
        #expect(takeAll(0) == 0)
    }

    private func progress(
        frames: Int = 0,
        read: Int = 0,
        written: Int = 0,
        mid: Bool = false,
        unread: Bool = false
    ) -> PeerPace.Progress {
        PeerPace.Progress(frames: frames, read: read, written: written, isMidFrame: mid, isUnread: unread)
    }

    @Test("a frame that gets on by less than the least is given up, one that does or ends is not")
    func stalled() throws {
        let least = WireLimits.progressBytes
        for (read, isFine) in [(least - 1, false), (least, true), (least + 1, true)] {
            var pace = PeerPace()
            pace.begin(progress(mid: true))
            if isFine {
                #expect(try pace.look(progress(read: read, mid: true)))
            } else {
                #expect(throws: WireError.stalled(milliseconds: WireLimits.patience)) {
                    try pace.look(progress(read: read, mid: true))
                }
            }
        }
        var pace = PeerPace()
        pace.begin(progress(mid: true))
        #expect(try pace.look(progress(frames: 1, read: 1, mid: true)))
        #expect(try !pace.look(progress(frames: 2, read: 2)))
    }

    @Test("a peer that reads less than the least of what waits for it is given up")
    func notReading() throws {
        let least = WireLimits.progressBytes
        for (written, isFine) in [(least - 1, false), (least, true), (least + 1, true)] {
            var pace = PeerPace()
            pace.begin(progress(unread: true))
            if isFine {
                #expect(try pace.look(progress(written: written, unread: true)))
            } else {
                #expect(throws: WireError.notReading(milliseconds: WireLimits.patience)) {
                    try pace.look(progress(written: written, unread: true))
                }
            }
        }
        var pace = PeerPace()
        pace.begin(progress(unread: true))
        #expect(try !pace.look(progress(written: 1)))
    }

    @Test(
        "a turn works off frames until its share is used up, the last of them whole",
        arguments: [-1, 0, 1]
    )
    func turn(beyond: Int) {
        var share = TurnShare()
        #expect(share.isLeft)
        share.took(WireLimits.turnBytes + beyond)
        #expect(share.isLeft == (beyond < 0))
        share.took(WireLimits.frameBytes)
        #expect(!share.isLeft)
    }

    @Test("nothing more is taken of a peer that does not read", arguments: [-1, 0, 1])
    func unread(beyond: Int) {
        #expect(PeerPace.isHeld(unread: WireLimits.unreadBytes + beyond) == (beyond > 0))
        #expect(!PeerPace.isHeld(unread: 0))
    }

    @Test("a device logs in as often as the burst allows, and then once a second")
    func logins() {
        var logins = Allowance(perSecond: WireLimits.loginsPerSecond, burst: WireLimits.loginBurst)
        func take(_ now: UInt64) -> Bool { logins.take(now: now) }
        for _ in 0..<WireLimits.loginBurst { #expect(take(5)) }
        #expect(!take(5))
        #expect(!take(1004))
        #expect(take(1005))
        #expect(!take(1005))
    }

    @Test("a bye can be read, whatever the reason")
    func bye() throws {
        for reason in ["stop", String(repeating: "x", count: 5000), String(repeating: "🪪", count: 999)] {
            for isRefusal in [false, true] {
                let bye = Message.bye(because: reason, isRefusal: isRefusal)
                #expect(try Message.decode(Frame(kind: .bye, payload: bye.payload)) == bye)
            }
        }
    }

    @Test("a reason is one line of bounded length, whoever wrote it", arguments: [-1, 0, 1])
    func reason(beyond: Int) throws {
        let text = String(repeating: "x", count: WireLimits.reasonBytes + beyond)
        for kind in [FrameKind.bye, .pairing] {
            let frame = Frame(kind: .bye, payload: JSONWriter.bytes(["reason": .string(text)]))
            func read() throws -> Bool {
                kind == .bye
                    ? try Message.decode(frame).kind == .bye : try PairingMessage.decode(frame) != .compare
            }
            if beyond > 0 { #expect(throws: WireError.self) { try read() } } else { #expect(try read()) }
        }
        #expect(Reason.line(text).utf8.count <= WireLimits.reasonBytes)
        let steering = "a\nb\r\u{1B}[2J\u{202E}c\u{2028}d"
        #expect(Reason.line(steering) == "a b  [2J c d")
        #expect(try Message.decode(.bye, ["reason": .string(steering)]) == .bye(reason: "a b  [2J c d"))
        // What was cut is not cut again.
        for count in WireLimits.reasonBytes - 5...WireLimits.reasonBytes + 5 {
            let once = Reason.line(String(repeating: "x", count: count))
            #expect(once.utf8.count <= WireLimits.reasonBytes && Reason.line(once) == once)
        }
    }

    @Test("a payload has at most so many values and names")
    func values() throws {
        func decode(_ zeros: Int) throws -> Message {
            let list = [UInt8](repeating: UInt8(ascii: "0"), count: zeros).map { [$0] }.joined(
                separator: [UInt8(ascii: ",")]
            )
            let payload = Array("{\"reason\":\"\",\"x\":[".utf8) + Array(list) + Array("]}".utf8)
            return try Message.decode(Frame(kind: .bye, payload: payload))
        }
        // The object, two names, the reason and the list are five.
        let edge = WireLimits.values - 5
        for zeros in [edge - 1, edge] { #expect(try decode(zeros) == .bye(reason: "")) }
        #expect(throws: WireError.self) { try decode(edge + 1) }
    }
}
