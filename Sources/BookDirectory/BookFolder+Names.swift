extension BookFolder {
    /// The end of the names of contact files.
    static let suffix = ".json"

    /// Whether a name is one that editors and copying programs use for their own files: `.x`, `x~`, `4913`, `#x#`,
    /// `x.part`, `x.tmp`.
    package static func isIgnored(_ name: String) -> Bool { isIgnored(bytes: name.utf8) }

    /// Whether a name says that the file holds contacts: `x.json`, and not ignored.
    package static func isCandidate(_ name: String) -> Bool { isCandidate(bytes: name.utf8) }

    static func isIgnored(bytes name: some BidirectionalCollection<UInt8>) -> Bool {
        guard let first = name.first, let last = name.last else { return true }
        return first == UInt8(ascii: ".") || last == UInt8(ascii: "~")
            || (first == UInt8(ascii: "#") && last == UInt8(ascii: "#"))
            || name.elementsEqual("4913".utf8) || ends(name, ".part") || ends(name, ".tmp")
    }

    static func isCandidate(bytes name: some BidirectionalCollection<UInt8>) -> Bool {
        ends(name, suffix) && !isIgnored(bytes: name)
    }

    private static func ends(_ name: some BidirectionalCollection<UInt8>, _ end: String) -> Bool {
        name.suffix(end.utf8.count).elementsEqual(end.utf8)
    }
}
