package import Replication

/// Which of two connections to one device stays; both have read a hello.
package enum ConnectionChoice: Hashable, Sendable {
    /// Close the newer one.
    case keepOld
    /// Close the older one.
    case keepNew

    /// What the choice depends on.
    package struct Candidate: Hashable, Sendable {
        /// The start that the peer's hello named.
        package let start: ReplicaID
        /// The device ID of the side that dialled.
        package let dialler: String

        package init(start: ReplicaID, dialler: String) {
            self.start = start
            self.dialler = dialler
        }
    }

    /// Both sides choose the same, whichever connection each saw first.
    ///
    /// A peer that started anew cannot be at the end of the old connection. The newer of one dialler: whoever dials
    /// again has given the old one up. Of two diallers neither has, so the smaller device ID decides.
    package static func choose(old: Candidate, new: Candidate) -> ConnectionChoice {
        guard old.start == new.start, old.dialler != new.dialler else { return .keepNew }
        return old.dialler < new.dialler ? .keepOld : .keepNew
    }
}
