/// A vCard of any version, as its lines; what they mean is in the form of version 4.0.
package struct VCard: Sendable {
    /// Where it begins in its file, counted from 1.
    package let line: Int
    /// The version it was written in.
    package let version: VCardVersion
    /// Its properties in order, without BEGIN, END and VERSION, in the neutral form (`VCardVersion.raise`).
    let lines: [ContentLine]

    /// - Parameter lines: as they were read.
    init(line: Int, lines: [ContentLine]) {
        self.line = line
        let said = lines.first { $0.name == "VERSION" }?.value.trimmed ?? ""
        version = VCardVersion(said)
        self.lines = version.raise(lines.filter { $0.name != "VERSION" })
    }

    /// - Parameter neutral: in the neutral form.
    init(neutral: [ContentLine], version: VCardVersion) {
        line = 0
        self.version = version
        lines = neutral
    }

    /// The text of the card in a version that can be written, with the line ends that the RFCs ask for.
    package func bytes(_ version: VCardVersion) -> [UInt8] {
        precondition(version != .v2, "vCard 2.1 is read only")
        var out: [UInt8] = []
        let begin = [ContentLine("BEGIN", "VCARD"), ContentLine("VERSION", version.text)]
        for line in begin + version.lower(lines) + [ContentLine("END", "VCARD")] { line.write(to: &out) }
        return out
    }
}
