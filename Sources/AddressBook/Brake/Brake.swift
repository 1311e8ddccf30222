package import JSON
package import Replication
package struct Brake { package enum V { case believe, hold(reason: String) }
package init(deletionLimit: Int) {}
package init?(json: JSONValue, deletionLimit: Int) {}
package var json: JSONValue { .null }
package mutating func forgive(now: UInt64, count: Int) {}
package mutating func judge(pending: [UID], now: UInt64, count: Int) -> V { pending.count >= 2 && pending.count >= count ? .hold(reason: "all") : .believe } }
