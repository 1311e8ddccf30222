/// A list that is mostly one number long, and then takes no memory of its own.
struct SmallList: Sendable, RandomAccessCollection {
    // In this order an element takes 16 bytes, not 24.
    private var rest: [UInt32] = []
    private var one: UInt32 = 0
    private var isFilled = false

    var startIndex: Int { 0 }
    var endIndex: Int { isFilled ? rest.count + 1 : 0 }

    subscript(at: Int) -> UInt32 {
        precondition(isFilled, "an empty list has no elements")
        return at == 0 ? one : rest[at - 1]
    }

    mutating func append(_ element: UInt32) {
        if isFilled {
            rest.append(element)
        } else {
            one = element
            isFilled = true
        }
    }

    /// Takes one element out; the order of the others is not kept.
    mutating func remove(_ element: UInt32) {
        if isFilled, one == element {
            if let last = rest.popLast() { one = last } else { isFilled = false }
        } else if let at = rest.firstIndex(of: element) {
            rest.swapAt(at, rest.count - 1)
            rest.removeLast()
        }
    }
}
