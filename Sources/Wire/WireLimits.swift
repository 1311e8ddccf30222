/// Every bound of the wire, with its unit and its reason.
package enum WireLimits {
    /// Bytes of a payload, as sent and decompressed: a large record and its batch fit, memory stays bounded.
    package static let frameBytes = 16 << 20
    /// Bytes of a payload before the peer's hello was read: a stranger gets no more of our memory.
    package static let frameBytesBeforeLogin = 64 << 10
    /// Bytes above which a payload is compressed: below, zstd gains nothing.
    package static let compressAbove = 1 << 10
    /// Levels of arrays and objects in a payload: a card may have 64, a batch puts some around it.
    package static let depth = 80
    /// Values and names in a payload: memory follows their number, and a small compressed frame could hold millions.
    package static let values = 1 << 20
    /// Values and names in one record that is sent; with the rest of its batch it stays below `values`.
    package static let recordValues = 400_000

    /// Protocol versions in a hello.
    package static let versions = 32
    /// Books in a hello: more than anyone keeps.
    package static let books = 500
    /// UTF-8 bytes of a book's or a device's name; with `books` a hello stays below `frameBytesBeforeLogin`.
    package static let nameBytes = 100
    /// UTF-8 bytes of the reason in a bye: one sentence.
    package static let reasonBytes = 1024

    /// Rows read for one batch.
    package static let batchRows = 256
    /// Bytes of records read for one batch; a single record may be larger.
    package static let batchBytes = 1 << 20
    /// Records taken from one batch or heal: room for a peer that packs more than we do.
    package static let recordsTaken = 4096
    /// Bytes of one record: the largest that fits a frame with what is around it.
    package static let recordBytes = 12 << 20
    /// Batches that wait for their acknowledgement.
    package static let windowBatches = 4
    /// Bytes of records that wait for their acknowledgement.
    package static let windowBytes = 4 << 20
    /// Batches and heals of a peer that wait for our commit: twice the window, then the peer ignores it.
    package static let deliveriesWaiting = 2 * windowBatches + healsWaiting
    /// Heals of one exchange: all records, each in a message of its own, for both roles.
    package static let healsWaiting = 2 * (healRecords + 1)
    /// Rows that may go unsent before an empty batch moves the peer's checkpoint.
    package static let rowsSkipped = 512

    /// Buckets in one list.
    package static let listBuckets = 256
    /// Records in one list: a million records spread evenly give 62,500.
    package static let listEntries = 100_000
    /// Records that one side sends in one exchange.
    package static let healRecords = 256
    /// Records read for healing at a time.
    package static let healRead = 16
    /// Comparisons of the same two totals before a difference is reported instead of healed.
    package static let comparisons = 3
    /// Exchanges on one connection: a peer that always differs must not keep us busy for ever.
    package static let exchanges = 4096
    /// Calls of verify that wait for a pair to be caught up.
    package static let verifiesWaiting = 16
    /// Uids in a refused message, and in a report of what differs.
    package static let refusedUIDs = 100_000

    /// Logins of one device in a second, on the average: each costs a handshake, some lines of the log, two events.
    package static let loginsPerSecond = 1
    /// Logins of one device that may come at once: a network that comes and goes, a machine that is restarted.
    package static let loginBurst = 60
    /// Messages that one connection may bring in a second, on the average: a pair at full speed exchanges a few hundred.
    package static let messagesPerSecond = 2000
    /// Messages that may come at once.
    package static let messageBurst = 20_000
    /// Comparisons that one connection may ask for in a second, on the average: each looks at the whole book. A pair that
    /// heals a large difference rests `FeedMachine.rest` before each.
    package static let comparisonsPerSecond = 10
    /// Comparisons that may be asked for at once.
    package static let comparisonBurst = 60
    /// Bytes of payloads that one connection has worked off in one turn of the loop before all others have theirs.
    package static let turnBytes = 1 << 20
    /// Bytes of a peer's records that may wait for our commit before its socket is left unread: a frame, and a window.
    package static let uncommittedBytes = frameBytes + windowBytes
    /// Bytes that the peer has not read yet, above which we read nothing of it and begin no batch: what we say is
    /// an answer or within a window, so this bounds what a peer that does not read costs.
    package static let unreadBytes = 8 << 20
    /// How long a peer may need, in milliseconds, for `progressBytes`, both of a frame that it has begun and of what it is
    /// to read: the slowest line that is of any use (a modem brings 5,600 bytes a second).
    package static let patience: UInt64 = 30_000
    /// See `patience`; less is enough where the frame, or what is to be read, ends.
    package static let progressBytes = 16 << 10
    /// How long a connection may need for TLS and the peer's hello, in milliseconds: a stranger holds no place for longer.
    package static let loginTimeout: UInt64 = 10_000

    /// Bytes of a line on the socket, without its end: the largest card that a file may hold, and what is around it.
    package static let lineBytes = 9 << 20
}
