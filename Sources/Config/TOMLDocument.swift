import CToml

/// The edge to toml++: text in, a tree of values with places out. Nothing of C leaves this file.
enum TOMLDocument {
    /// A text that is no TOML.
    struct Flaw: Error {
        let line: Int
        let column: Int
        let reason: String
    }

    /// Reads a document; the result is its top-level table.
    static func read(_ bytes: [UInt8]) throws(Flaw) -> TOMLValue {
        // One byte more than is read: an empty array has no address, and C wants one.
        let document = unsafe (bytes + [0]).withUnsafeBytes { text in
            unsafe text.baseAddress.flatMap { unsafe CTomlRead($0, bytes.count) }
        }
        guard let document = unsafe document else {
            throw Flaw(line: 1, column: 1, reason: "there is no memory to read it")
        }
        defer { unsafe CTomlFree(document) }
        var (line, column): (UInt32, UInt32) = (0, 0)
        if let reason = unsafe CTomlFlaw(document, &line, &column) {
            throw Flaw(line: Int(line), column: Int(column), reason: unsafe String(cString: reason))
        }
        var count = 0
        let first = unsafe CTomlNodes(document, &count)
        let nodes = unsafe UnsafeBufferPointer(start: first, count: count)
        var at = 0
        return unsafe value(nodes, &at)
    }

    private static func value(_ nodes: UnsafeBufferPointer<CTomlNode>, _ at: inout Int) -> TOMLValue {
        let node = unsafe nodes[at]
        at += 1
        let content: TOMLValue.Content
        switch unsafe UInt32(node.kind) {
        case CTomlTable.rawValue:
            content = .table(
                unsafe (0..<node.children).map { _ in
                    let child = unsafe nodes[at]
                    let key = unsafe text(child.key, child.keyLength)
                    return TOMLValue.Member(key: key, value: unsafe value(nodes, &at))
                }
            )
        case CTomlArray.rawValue:
            content = .array(unsafe (0..<node.children).map { _ in unsafe value(nodes, &at) })
        case CTomlString.rawValue: content = .string(unsafe text(node.text, node.textLength))
        case CTomlInteger.rawValue: content = .integer(unsafe node.integer)
        case CTomlFloat.rawValue: content = .float
        case CTomlBoolean.rawValue: content = .boolean(unsafe node.integer != 0)
        case CTomlTooDeep.rawValue: content = .tooDeep
        default: content = .date
        }
        return unsafe TOMLValue(content: content, line: Int(node.line), column: Int(node.column))
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        unsafe String(
            decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count),
            as: UTF8.self
        )
    }
}
