/// One frame, its payload in plain.
package struct Frame: Hashable, Sendable {
    /// What the payload is.
    package let kind: FrameKind
    /// The JSON text, not compressed.
    package let payload: [UInt8]

    package init(kind: FrameKind, payload: [UInt8]) {
        self.kind = kind
        self.payload = payload
    }

    /// Length, kind and flags.
    static let headerBytes = 6
    /// The flag of a compressed payload.
    static let compressed: UInt8 = 1
}
