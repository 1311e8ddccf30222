import CQREncode

/// A text as a QR code (ISO/IEC 18004), the version as small as holds it.
package struct QRCode: Sendable {
    /// Rows of modules from the top, `true` for dark; as many as columns, without the quiet zone.
    package let rows: [[Bool]]

    /// Modules that stay light on each side (ISO/IEC 18004, 6.3.8).
    package static let quietZone = 4

    /// Nil for a text that no QR code holds: empty, or above 2,953 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        // The lowest level of correction: a screen has no scratches, and a small code fits more terminals.
        guard let code = unsafe QRcode_encodeData(CInt(clamping: bytes.count), bytes, 0, QR_ECLEVEL_L) else {
            return nil
        }
        defer { unsafe QRcode_free(code) }
        let width = unsafe Int(code.pointee.width)
        guard let data = unsafe code.pointee.data else { return nil }
        var rows: [[Bool]] = []
        for row in 0..<width {
            // The lowest bit of a byte is the colour; the others are the library's notes.
            rows.append((0..<width).map { unsafe data[row * width + $0] & 1 == 1 })
        }
        self.rows = rows
    }
}
