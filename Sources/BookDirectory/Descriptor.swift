import Glibc

/// An open file descriptor; closed when it goes out of scope.
struct Descriptor: ~Copyable {
    let number: CInt

    /// Takes over a descriptor that a system call has just returned.
    init(_ number: CInt) {
        precondition(number >= 0, "a descriptor is taken over only when the call succeeded")
        self.number = number
    }

    deinit { close(number) }
}
