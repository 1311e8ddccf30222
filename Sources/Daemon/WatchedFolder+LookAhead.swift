import BookDirectory
import Controllers
import EventLoop

/// Looking ahead: a start sees the directory while it loads what is known of it.
extension WatchedFolder {
    /// What a start finds in the directory.
    struct Look: Sendable {
        let leftovers: [Leftover]
        let listing: Result<FolderListing, FolderFailure>
    }

    /// How far that has come.
    enum Ahead {
        case none
        case underWay
        case awaited((Result<FolderListing, FolderFailure>) -> Void)
        case done(Look)
    }

    /// Watches the directory and looks at it on another thread, while a start loads what is known of it; `start` and the
    /// first listing go on with that.
    func lookAhead() {
        guard let watch = try? FolderWatch(path: folder.path) else { return }
        guard watch.isWatching else { return watch.close() }
        self.watch = watch
        ahead = .underWay
        let folder = folder
        let writer = Writer(folder: folder, identity: nil, trash: trash, hash: hash)
        loop.work(
            { Look(leftovers: (try? writer.recover()) ?? [], listing: Self.listing(of: folder)) },
            then: { [weak self] look in
                guard let self else { return }
                switch ahead {
                case .awaited(let done):
                    ahead = .none
                    take(look, done)
                case .underWay: ahead = .done(look)
                case .none, .done: take(look) { _ in }
                }
            }
        )
    }

    /// Called when the start has asked for what it needs: what was seen then is not what lies there later.
    func endLookAhead() {
        if case .awaited = ahead { return }
        let last = ahead
        ahead = .none
        if case .done(let look) = last { take(look) { _ in } }
    }

    func take(_ look: Look, _ done: (Result<FolderListing, FolderFailure>) -> Void) {
        take(look.leftovers)
        if !old.isEmpty { settleLater() }
        done(look.listing)
    }
}
