import Glibc

/// A string compared, hashed and ordered by its UTF-8 bytes.
///
/// Swift's `String` takes canonically equivalent texts for equal and orders by them. Keys, uids and values are
/// data: two that differ in one code point are two. The order of UTF-8 bytes is the order of code points.
package struct ExactString: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package var description: String { text }

    package static func == (a: ExactString, b: ExactString) -> Bool { a.text.isExactly(b.text) }

    package static func < (a: ExactString, b: ExactString) -> Bool { a.text.precedesExactly(b.text) }

    package func hash(into hasher: inout Hasher) {
        var text = self.text
        text.withUTF8 { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Whether both strings are the same code points.
    package func isExactly(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return compare(other).map { $0 == 0 } ?? utf8.elementsEqual(other.utf8)
    }

    /// Whether these bytes are its code points in UTF-8.
    package func isExactly(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard utf8.count == bytes.count else { return false }
        let order = unsafe utf8.withContiguousStorageIfAvailable { a in
            unsafe bytes.withUnsafeBufferPointer { b in
                guard let x = a.baseAddress, let y = b.baseAddress else { return true }
                return unsafe memcmp(x, y, a.count) == 0
            }
        }
        return order ?? utf8.elementsEqual(bytes)
    }

    /// Whether this comes before the other by code points.
    package func precedesExactly(_ other: String) -> Bool {
        compare(other).map { $0 < 0 } ?? utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Less than, equal to or greater than zero, as the bytes are ordered. Nil where they do not lie in one piece, as
    /// those of native strings do: comparing these is some ten times quicker than element by element.
    private func compare(_ other: String) -> Int? {
        unsafe utf8.withContiguousStorageIfAvailable { a in
            unsafe other.utf8.withContiguousStorageIfAvailable { b -> Int in
                let common = min(a.count, b.count)
                if common > 0, let x = a.baseAddress, let y = b.baseAddress {
                    let order = unsafe memcmp(x, y, common)
                    if order != 0 { return Int(order) }
                }
                return a.count - b.count
            }
        } ?? nil
    }
}
