/// The devices that wanted to connect and are not configured here, for whoever has just set one up.
struct Strangers {
    /// Of more than so many the oldest is forgotten: anyone can knock with any key.
    static let limit = 8

    /// Latest last; times in milliseconds since 1970.
    private(set) var all: [(device: String, time: UInt64)] = []

    mutating func note(_ device: String, at time: UInt64) {
        all.removeAll { $0.device == device }
        all.append((device, time))
        if all.count > Self.limit { all.removeFirst() }
    }
}
