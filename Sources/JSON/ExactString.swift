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

    package static func < (a: ExactString, b: ExactString) -> Bool {
        a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }

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
        // Native strings lie in one piece; comparing that is some ten times quicker than element by element.
        let equal = unsafe utf8.withContiguousStorageIfAvailable { mine in
            unsafe other.utf8.withContiguousStorageIfAvailable { theirs in
                for at in 0..<mine.count where unsafe mine[at] != theirs[at] { return false }
                return true
            }
        }
        return (equal ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
