/// The byte that says what a frame's payload is.
package enum FrameKind: UInt8, Sendable, CaseIterable {
    case hello = 1
    case follow = 2
    case batch = 3
    case current = 4
    case ack = 5
    case digest = 6
    case equal = 7
    case buckets = 8
    case list = 9
    case heal = 10
    case refused = 11
    case bye = 12
    case pairing = 13
}
