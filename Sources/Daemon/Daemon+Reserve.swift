import EventLoop

/// What waits while the disk is nearly full.
extension Daemon {
    /// How often room is looked for while there is none, milliseconds: a file that was removed is no event here.
    private static let reserveInterval: UInt64 = 2000

    /// Lets peers wait while there is less room than the reserve, and goes on when there is more.
    func keepReserve() {
        hub.mayTake = { [reserve] in reserve.hasRoom }
        reserve.onShortage = { [weak self] in
            guard let self, reserveTimer == nil else { return }
            if !isShort, let shortage = reserve.shortage { log.warning(shortage) }
            isShort = true
            reserveTimer = loop.after(Self.reserveInterval) { [weak self] in self?.lookForRoom() }
        }
    }

    private func lookForRoom() {
        reserveTimer = nil
        if reserve.hasRoom {
            isShort = false
            log.info("there is room again for what peers send")
        }
        wake()
    }
}
