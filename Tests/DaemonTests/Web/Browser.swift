import Foundation
import JSON

/// A headless Chromium that is driven by its DevTools protocol (https://chromedevtools.github.io/devtools-protocol).
final class Browser {
    /// Where it is installed, or nil.
    static let path = Executables.tool("chromium")

    private let child: Child
    private let socket: Socket
    private var received: [UInt8] = []
    private var lastID = 0
    /// What the browser complained about: errors of scripts, and what the page's policy forbids.
    private(set) var complaints: [String] = []

    /// Starts one with a profile of its own below a directory.
    init(below root: String) throws {
        guard let path = Self.path else { throw Failure("chromium is not installed") }
        let profile = root + "/chromium"
        let port = try Ports.free()
        child = try Child(
            path,
            [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                "--disable-background-networking", "--remote-allow-origins=*", "--user-data-dir=\(profile)",
                "--remote-debugging-port=\(port)", "about:blank",
            ],
            environment: ["HOME": root, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"],
            directory: root,
            output: root + "/chromium.log",
            errors: root + "/chromium.log"
        )
        var target: String?
        try eventually("the browser answers", within: 60) {
            let pages = (try? HTTPAnswer.get("/json/list", port: port)).flatMap { try? parsed($0.body) }
            target = pages?.array?.first { $0["type"]?.string == "page" }?["webSocketDebuggerUrl"]?.string
            return target == nil ? "no page yet" : nil
        }
        let way = try requireSlash(target)
        socket = try Socket.loopback(port)
        let key = "dGhlIHNhbXBsZSBub25jZQ=="
        socket.send(
            Array(
                ("GET \(way) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n\r\n").utf8
            )
        )
        let head = try bytes { bytes in bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound }
        guard String(decoding: head, as: UTF8.self).contains(" 101 ") else { throw Failure("no web socket") }
        for domain in ["Page", "Runtime", "Log"] { try ask("\(domain).enable") }
    }

    /// Ends it; a browser that is not asked would stay.
    func close() {
        _ = try? ask("Browser.close")
        if child.wait(5) == nil { child.signal(SIGTERM) }
        _ = child.wait(5)
    }

    /// Sets how wide the window is and which colours its user likes.
    func look(width: Int, height: Int, dark: Bool, scripts: Bool = true) throws {
        try ask(
            "Emulation.setDeviceMetricsOverride",
            ["width": .number(width), "height": .number(height), "deviceScaleFactor": 1, "mobile": false]
        )
        try ask(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]]]
        )
        try ask("Emulation.setScriptExecutionDisabled", ["value": .bool(!scripts)])
    }

    /// Opens an address and waits until it is there.
    func open(_ address: String) throws {
        try ask("Page.navigate", ["url": .string(address)])
        try eventually("\(address) is shown") {
            let isThere = try evaluate(
                "document.readyState === 'complete' && location.href !== 'about:blank'"
            )
            return isThere == true ? nil : "it is not"
        }
    }

    /// The value of an expression, evaluated beside the page.
    func evaluate(_ expression: String) throws -> JSONValue {
        let answer = try ask(
            "Runtime.evaluate",
            ["expression": .string(expression), "returnByValue": true, "awaitPromise": true]
        )
        return answer["result"]?["value"] ?? .null
    }

    /// A picture of the whole page, or of the window alone, as PNG.
    func picture(whole: Bool = true) throws -> Data {
        let answer = try ask("Page.captureScreenshot", ["captureBeyondViewport": .bool(whole)])
        guard let data = (answer["data"]?.string).flatMap({ Data(base64Encoded: $0) }) else {
            throw Failure("no picture: \(JSONWriter.text(answer).shortened(to: 200))")
        }
        return data
    }

    @discardableResult
    private func ask(_ method: String, _ parameters: JSONValue = [:]) throws -> JSONValue {
        lastID += 1
        let id = Int64(lastID)
        send(JSONWriter.bytes(["id": .number(id), "method": .string(method), "params": parameters]))
        while true {
            let message = try parsed(try frame())
            note(message)
            guard message["id"]?.integer == id else { continue }
            if let error = message["error"] { throw Failure("\(method): \(JSONWriter.text(error))") }
            return message["result"] ?? .null
        }
    }

    private func note(_ message: JSONValue) {
        switch message["method"]?.string {
        case "Runtime.exceptionThrown": complaints.append(JSONWriter.text(message).shortened(to: 300))
        case "Log.entryAdded":
            let entry = message["params"]?["entry"]
            if entry?["level"]?.string == "error" { complaints.append(entry?["text"]?.string ?? "") }
        default: break
        }
    }

    // MARK: RFC 6455

    private func send(_ text: [UInt8]) {
        var frame: [UInt8] = [0x81]
        switch text.count {
        case ..<126: frame.append(0x80 | UInt8(text.count))
        case ..<65_536: frame += [0x80 | 126, UInt8(text.count >> 8), UInt8(text.count & 0xFF)]
        default: frame += [0x80 | 127] + (0..<8).reversed().map { UInt8(text.count >> ($0 * 8) & 0xFF) }
        }
        // A client has to mask; with zeros the text stays as it is.
        socket.send(frame + [0, 0, 0, 0] + text)
    }

    /// The next whole message.
    private func frame() throws -> [UInt8] {
        var message: [UInt8] = []
        while true {
            let head = try bytes { $0.count >= 2 ? 2 : nil }
            var count = Int(head[1] & 0x7F)
            if count > 125 {
                let width = count == 126 ? 2 : 8
                count = try bytes { $0.count >= width ? width : nil }.reduce(0) { $0 << 8 | Int($1) }
            }
            message += try bytes { $0.count >= count ? count : nil }
            if head[0] & 0x80 != 0, head[0] & 0x0F < 3 { return message }
        }
    }

    /// Takes as many bytes as `enough` says, when it says.
    private func bytes(_ enough: ([UInt8]) -> Int?) throws -> [UInt8] {
        let deadline = Deadline(60)
        while !deadline.isOver {
            if let count = enough(received) {
                defer { received.removeFirst(count) }
                return Array(received[..<count])
            }
            guard socket.isReadable(within: 0.5) else { continue }
            let more = socket.receive()
            if more.isEmpty { break }
            received += more
        }
        throw Failure("the browser says nothing")
    }
}

/// The path of a `ws:` address.
private func requireSlash(_ address: String?) throws -> String {
    guard let address, let slash = address.dropFirst(5).firstIndex(of: "/") else {
        throw Failure("no address")
    }
    return String(address[slash...])
}
