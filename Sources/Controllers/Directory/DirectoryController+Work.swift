/// How much there is to do, for people who wait.
extension DirectoryController {
    /// Files that wait to be read.
    package var filesToRead: Int { unread.count }

    /// Persons whose files wait to be compared, and files on their way to the disk.
    package var filesToWrite: Int { unplanned.count + inFlight.count + (round?.plan.count ?? 0) }
}
