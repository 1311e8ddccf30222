/// How far two words are apart, to guess what was meant.
package enum EditDistance {
    /// The fewest insertions, removals, replacements and swaps of neighbours that turn one word into the other
    /// (optimal string alignment; Damerau 1964).
    static func between(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.lowercased()), Array(b.lowercased()))
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }

    /// The known word nearest to `word`; of equally near ones the first.
    package static func nearest(to word: String, in known: [String]) -> String? {
        // A word longer than any key tells nothing, and need not be compared in full.
        let word = String(word.prefix(64))
        return known.min { between(word, $0) < between(word, $1) }
    }
}
