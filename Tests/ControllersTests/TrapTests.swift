import Controllers
import TestSupport
import Testing

/// Our own faults trap, each with the sentence that says which it is.
@Suite("Faults of our own")
struct TrapTests {
    /// Whether the sentence of a trap is among what a process said before it ended.
    private static func said(_ result: ExitTest.Result?, _ sentence: String) -> Bool {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(sentence)
    }

    private static func unprepared() -> AddController {
        AddController(factory: AdditionFactory(region: nil, phones: PlainKeys(), hash: .test))
    }

    @Test("an add controller asked for its session before its segue traps")
    func askedBeforeSegue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TrapTests.unprepared().session
        }
        #expect(Self.said(result, "an add controller is used after its segue"))
    }

    @Test("an add controller that adds before its segue traps")
    func addsBeforeSegue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            TrapTests.unprepared().add(.remove([]))
        }
        #expect(Self.said(result, "an add controller is used after its segue"))
    }

    @Test("a list prepared twice with the same session traps")
    func listPreparedTwice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let house = try House()
            let list = try #require(house.list)
            let login = LoginController(ownDevice: House.device, ownName: "laptop") { 5 }
            for _ in 0..<2 { _ = try login.login(.command, to: [list]) }
        }
        #expect(Self.said(result, "a session is prepared once for a list"))
    }

    @Test("a second add controller for one session traps")
    func addPreparedTwice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let house = try House()
            let list = try #require(house.list)
            let session = try house.login.login(.command, to: [list])
            list.prepare(for: Segue(.contacts2add, to: TrapTests.unprepared()), sender: session)
        }
        #expect(Self.said(result, "a session is prepared once"))
    }

    @Test("a list asked for the door of a session that never came traps")
    func unknownSession() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let house = try House()
            _ = try #require(house.list).addController(for: SessionID(device: House.device, random: 99))
        }
        #expect(Self.said(result, "a session adds after its segue"))
    }

    @Test("a door kept after its session has ended traps when it is used")
    func usedAfterLeaving() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let house = try House()
            let list = try #require(house.list)
            let session = try house.login.login(.command, to: [list])
            let add = list.addController(for: session)
            list.leave(session)
            add.add(.remove([]))
        }
        #expect(Self.said(result, "an addition comes from an open session"))
    }
}
