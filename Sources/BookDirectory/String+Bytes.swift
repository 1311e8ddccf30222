extension StringProtocol {
    /// As many whole characters from the start as fit into so many bytes of UTF-8; of a first character that does
    /// not fit (letters can carry marks without end), its code points.
    func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return String(self) }
        var taken = ""
        var size = 0
        for character in self {
            size += character.utf8.count
            guard size <= limit else { break }
            taken.append(character)
        }
        guard taken.isEmpty else { return taken }
        var scalars = String.UnicodeScalarView()
        size = 0
        for scalar in unicodeScalars {
            size += scalar.utf8.count
            guard size <= limit else { break }
            scalars.append(scalar)
        }
        return String(scalars)
    }

    /// Without blanks and dots at the end, which Windows drops silently.
    func trimmingEnd() -> String {
        var scalars = String(self).unicodeScalars
        while let last = scalars.last, last == " " || last == "." { scalars.removeLast() }
        return String(scalars)
    }
}
