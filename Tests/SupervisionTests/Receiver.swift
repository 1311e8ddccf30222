import TestSupport
import Testing

/// A socket that nobody else knows.
func receiver() throws -> DatagramReceiver {
    try #require(DatagramReceiver("/tmp/contactsync-test-\(UInt64.random(in: 0 ... .max))"))
}
