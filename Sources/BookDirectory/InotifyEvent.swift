import Glibc

/// One event as the kernel writes it, see inotify(7).
struct InotifyEvent {
    /// The watch it belongs to; -1 for an overflow.
    let watch: CInt
    /// What happened, as `IN_` bits.
    let mask: UInt32
    /// The name in the watched directory; empty for the directory itself.
    let name: ArraySlice<UInt8>

    func has(_ flags: CInt) -> Bool { mask & UInt32(bitPattern: flags) != 0 }

    /// Takes apart what one read of the descriptor gave; the kernel gives whole events only.
    static func each(in bytes: ArraySlice<UInt8>, _ take: (InotifyEvent) -> Void) {
        // watch, mask, cookie, length of the name with its zeros; four bytes each, in the machine's order.
        let header = 16
        var rest = bytes
        while rest.count >= header {
            let length = Int(number(rest, 12))
            let name = rest.dropFirst(header).prefix(length)
            take(
                InotifyEvent(
                    watch: CInt(bitPattern: number(rest, 0)),
                    mask: number(rest, 4),
                    name: name.prefix { $0 != 0 }
                )
            )
            rest = rest.dropFirst(header + length)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
        unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
}
