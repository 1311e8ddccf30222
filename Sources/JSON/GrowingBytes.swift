/// Bytes that are appended one by one or in pieces. An array looks at each step whether it is shared; with this, writing
/// JSON takes a third fewer instructions, which is 3 % of a first index.
@safe struct GrowingBytes: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        unsafe start = .allocate(capacity: self.capacity)
    }

    deinit { unsafe start.deallocate() }

    /// A copy of them all.
    var array: [UInt8] { unsafe Array(UnsafeBufferPointer(start: start, count: count)) }

    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(1) }
        unsafe start[count] = byte
        count += 1
    }

    mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        guard let first = piece.baseAddress else { return }
        if capacity - count < piece.count { grow(piece.count) }
        unsafe (start + count).update(from: first, count: piece.count)
        count += piece.count
    }

    /// Appends a number in decimal digits.
    mutating func append(decimal number: UInt64) {
        var rest = number
        var digits = 1
        while rest > 9 {
            rest /= 10
            digits += 1
        }
        if capacity - count < digits { grow(digits) }
        count += digits
        rest = number
        for place in 1...digits {
            unsafe start[count - place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Appends a number in 16 hexadecimal digits.
    mutating func append(hex number: UInt64) {
        if capacity - count < 16 { grow(16) }
        for place in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * place)) & 15
            unsafe start[count + place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        }
        count += 16
    }

    private mutating func grow(_ more: Int) {
        capacity = max(2 * capacity, count + more)
        let old = unsafe start
        unsafe start = .allocate(capacity: capacity)
        unsafe start.update(from: old, count: count)
        unsafe old.deallocate()
    }
}
