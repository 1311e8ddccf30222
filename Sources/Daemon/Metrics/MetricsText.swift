/// Metrics in the text format of Prometheus, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
struct MetricsText {
    typealias Labels = [(name: String, value: String)]

    private(set) var text = ""

    /// Values that go up and down.
    mutating func gauge(_ name: String, _ help: String, _ samples: [(Labels, Double)]) {
        add(name, "gauge", help, samples)
    }

    /// Values that only grow while the daemon runs; the name ends in `_total`.
    mutating func counter(_ name: String, _ help: String, _ samples: [(Labels, Double)]) {
        add(name, "counter", help, samples)
    }

    mutating func histogram(_ name: String, _ help: String, _ samples: [(Labels, Histogram)]) {
        guard begin(name, "histogram", help, samples.isEmpty) else { return }
        for (labels, histogram) in samples {
            var count: UInt64 = 0
            for (at, inBucket) in histogram.counts.enumerated() {
                count += inBucket
                let bound = at < Histogram.bounds.count ? Self.number(Histogram.bounds[at]) : "+Inf"
                line(name + "_bucket", labels + [("le", bound)], String(count))
            }
            line(name + "_sum", labels, Self.number(histogram.sum))
            line(name + "_count", labels, String(count))
        }
    }

    private mutating func add(_ name: String, _ type: String, _ help: String, _ samples: [(Labels, Double)]) {
        guard begin(name, type, help, samples.isEmpty) else { return }
        for (labels, value) in samples { line(name, labels, Self.number(value)) }
    }

    private mutating func begin(_ name: String, _ type: String, _ help: String, _ isEmpty: Bool) -> Bool {
        guard !isEmpty else { return false }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        return true
    }

    private mutating func line(_ name: String, _ labels: Labels, _ value: String) {
        let said = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        text += said.isEmpty ? "\(name) \(value)\n" : "\(name){\(said)} \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
        var out = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": out += "\\\\"
            case "\"": out += "\\\""
            case "\n": out += "\\n"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { String($0) } ?? String(value)
    }
}
