import Glibc
import JSON

/// The two streams; all text that is shown leaves here.
enum Output {
    static func text(_ text: String) { write(Array(text.utf8), to: STDOUT_FILENO) }

    static func error(_ text: String) { write(Array(text.utf8), to: STDERR_FILENO) }

    /// A result as one line of JSON for scripts, or laid out for people.
    ///
    /// - Parameter page: what is laid out on, empty.
    static func result(
        _ value: JSONValue,
        json: Bool,
        on page: Page = Page(),
        _ show: (JSONValue, inout Page) -> Void
    ) {
        guard !json else { return write(JSONWriter.bytes(value) + [0x0A], to: STDOUT_FILENO) }
        var page = page
        show(value, &page)
        text(page.text)
    }

    /// Text of our own, with what moves the cursor in it.
    static func write(_ text: String, to descriptor: CInt) { write(Array(text.utf8), to: descriptor) }

    private static func write(_ bytes: [UInt8], to descriptor: CInt) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            // Nobody reads it any more: nothing can be said to anyone.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
