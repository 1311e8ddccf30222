import Foundation

/// Reads Prometheus' text format (version 0.0.4) and throws at the first thing that breaks it or its conventions.
struct MetricsReader {
    /// By name and labels as they stand, such as `contactsync_contacts{book="personal"}`.
    private(set) var samples: [String: Double] = [:]
    private var types: [String: String] = [:]
    private var helped: Set<String> = []
    private var current = ""

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Failure("the last line has no end") }
        for line in text.dropLast().components(separatedBy: "\n") { try read(line) }
        for (name, type) in types where type == "histogram" { try checkHistogram(name) }
    }

    private mutating func read(_ line: String) throws {
        if let words = line.wholeMatch(of: #/# HELP ([a-z][a-z0-9_]*) (\S.*\.)/#)?.output {
            current = String(words.1)
            guard helped.insert(current).inserted else { throw Failure("\(current) comes twice") }
        } else if let words = line.wholeMatch(of: #/# TYPE ([a-z][a-z0-9_]*) (gauge|counter|histogram)/#)?
            .output
        {
            let (name, type) = (String(words.1), String(words.2))
            guard name == current, types[name] == nil else { throw Failure("\(line): not below its help") }
            guard (type == "counter") == name.hasSuffix("_total") else {
                throw Failure("\(name): a counter and nothing else ends in _total")
            }
            guard name.wholeMatch(of: #/.*_(milliseconds|ms|kilobytes|kb|minutes|count|sum|bucket)/#) == nil
            else {
                throw Failure("\(name): no base unit, or a name that is taken")
            }
            types[name] = type
        } else {
            let label = #"[a-z_]+="(?:[^"\\\n]|\\["\\n])*""#
            let form = try Regex(
                #"([a-z][a-z0-9_]*)(\{LABEL(?:,LABEL)*\})? (-?[0-9.e+-]+|NaN|[+-]Inf)"#
                    .replacingOccurrences(of: "LABEL", with: label)
            )
            guard let match = try form.wholeMatch(in: line),
                let name = match.output[1].substring,
                let value = match.output[3].substring.flatMap({ Double($0) })
            else { throw Failure("no sample: \(line)") }
            let isPart =
                types[current] == "histogram"
                && ["_bucket", "_sum", "_count"].contains { current + $0 == name }
            guard name == current && types[current] != "histogram" || isPart else {
                throw Failure("\(line) stands under \(current)")
            }
            let key = String(name) + String(match.output[2].substring ?? "")
            guard samples.updateValue(value, forKey: key) == nil else { throw Failure("\(key) comes twice") }
        }
    }

    private func checkHistogram(_ name: String) throws {
        for (key, count) in samples where key.hasPrefix(name + "_count") {
            let labels = key.dropFirst(name.count + 6).dropFirst().dropLast()
            let place = labels.isEmpty ? "" : labels + ","
            let buckets = samples.compactMap { key, value -> (Double, Double)? in
                let head = name + "_bucket{" + place + "le=\""
                guard key.hasPrefix(head), let bound = Double(key.dropFirst(head.count).dropLast(2)) else {
                    return nil
                }
                return (bound, value)
            }.sorted { $0.0 < $1.0 }
            let counts = buckets.map(\.1)
            guard buckets.last?.0 == .infinity, counts.last == count, counts == counts.sorted() else {
                throw Failure("\(key) \(count): its buckets are \(buckets)")
            }
        }
    }
}
