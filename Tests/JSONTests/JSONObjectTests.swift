import JSON
import Testing

@Suite struct JSONObjectTests {
    @Test("A large object is changed and compared like a small one", arguments: [3, 16, 17, 18, 300])
    func large(count: Int) {
        var object = JSONObject()
        for n in 0..<count { object["k\(n)"] = .number(n) }
        var reversed = JSONObject()
        for n in (0..<count).reversed() { reversed["k\(n)"] = .number(n) }
        #expect(object == reversed)
        #expect(object.hashValue == reversed.hashValue)
        object["k1"] = nil
        #expect(object["k1"] == nil)
        #expect(object["k2"] == 2)
        #expect(object.count == count - 1)
        object["k0"] = "other"
        object["new"] = true
        #expect(object["k0"] == "other")
        #expect(object["new"] == true)
        #expect(object != reversed)
        #expect(object.keys.last == "new")
    }
}
