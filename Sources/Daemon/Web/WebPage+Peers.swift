import Config
import Controllers
import Glibc
import JSON

/// The peers as a picture: a star on a wide screen, a list along a line on a narrow one.
extension WebPage {
    /// Boxes around ours that the picture has room for.
    private static let around = 10

    /// What is said of one peer.
    private struct Face {
        var name: String
        var kind: String
        var words: String
        /// What is to be sent and received, nil if there is nothing.
        var lag: String?
        var error: String?
        var lastEqual: UInt64?
        var bytes: UInt64
    }

    func peers(_ html: inout HTML) {
        let faces = daemon.hub.peers.values.sorted { $0.configuration.name < $1.configuration.name }.map(face)
        html.element("section", ["id": "peers", "class": "large"]) { html in
            html.element("h2", text: "Peers")
            guard !faces.isEmpty else {
                return html.element(
                    "p",
                    ["class": "empty"],
                    text: "No peer is configured: add [peers.NAME] on both machines."
                )
            }
            star(&html, Array(faces.prefix(Self.around)))
            html.element("ul", ["class": "tree"]) { html in
                for face in faces {
                    html.element("li", ["class": face.kind]) { html in
                        html.element("strong") { $0.foreign(face.name, limit: 40) }
                        html.element("span", ["class": "pill \(face.kind)"], text: face.words)
                        if let lag = face.lag { html.element("span", ["class": "lag"], text: lag) }
                        html.element("small") { html in details(&html, face) }
                    }
                }
            }
        }
    }

    private func details(_ html: inout HTML, _ face: Face) {
        if let at = face.lastEqual {
            html.text("equal ")
            time(&html, at)
            html.text(" · ")
        }
        if face.bytes > 0 || face.error == nil { html.text(Self.size(face.bytes)) }
        if let error = face.error {
            if face.bytes > 0 { html.text(" · ") }
            html.foreign(error, limit: 120)
        }
    }

    private func face(_ peer: PeerHub.Peer) -> Face {
        var send = 0
        var receive = 0
        for book in peer.configuration.books {
            send += peer.link?.feeds[book]?.toSend ?? 0
            receive += peer.link?.feeds[book]?.toReceive ?? 0
        }
        let isEqual = peer.configuration.books.allSatisfy { peer.link?.feeds[$0]?.isCaughtUp ?? false }
        let lag = [
            send > 0 ? "↑ \(Self.grouped(send))" : nil, receive > 0 ? "↓ \(Self.grouped(receive))" : nil,
        ]
        .compactMap { $0 }.joined(separator: "  ")
        let (kind, words) =
            switch peer.state {
            case "connected" where isEqual: ("good", "in sync")
            case "connected" where peer.configuration.books.isEmpty: ("good", "connected")
            case "connected": ("warn", lag.isEmpty ? "comparing" : "catching up")
            // While it is asked again it has not changed its mind yet.
            case _ where peer.link == nil && peer.isRefused: ("bad", "refuses us")
            case "connecting": ("warn", "connecting")
            default: ("off", "offline")
            }
        return Face(
            name: peer.configuration.name,
            kind: kind,
            words: words,
            lag: lag.isEmpty ? nil : lag,
            error: peer.link == nil ? peer.lastError : nil,
            lastEqual: daemon.journal.lastEqual(peer),
            bytes: peer.bytes.received + peer.bytes.sent
                + (peer.link.map { $0.bytes.received + $0.bytes.sent } ?? 0)
        )
    }

    static func size(_ bytes: UInt64) -> String {
        switch bytes {
        case 0..<1000: "\(bytes) B"
        case 1000..<1_000_000: "\(bytes / 1000) kB"
        case 1_000_000..<1_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000) GB"
        }
    }

    // MARK: The star

    private static let width = 720.0
    private static let box = (width: 156.0, height: 54.0)

    private func star(_ html: inout HTML, _ faces: [Face]) {
        let height = faces.count < 3 ? 170.0 : faces.count < 5 ? 300 : 430
        let middle = (x: Self.width / 2, y: height / 2)
        let places = faces.indices.map { Self.place($0, of: faces.count, around: middle) }
        let said = faces.map { "\($0.name): \($0.words)" }.joined(separator: ", ")
        html.element(
            "svg",
            [
                "class": "star", "viewBox": "0 0 \(Int(Self.width)) \(Int(height))", "role": "img",
                "aria-label": said,
            ]
        ) { html in
            for (face, place) in zip(faces, places) {
                html.element(
                    "path",
                    [
                        "class": "link \(face.kind)",
                        "d": "M\(Int(middle.x)) \(Int(middle.y))L\(Int(place.x)) \(Int(place.y))",
                    ]
                )
            }
            for (face, place) in zip(faces, places) {
                if let lag = face.lag {
                    let at = (x: (place.x + middle.x * 0.9) / 1.9, y: (place.y + middle.y * 0.9) / 1.9)
                    let half = Double(lag.count) * 4 + 9
                    html.element(
                        "rect",
                        [
                            "class": "lag", "x": "\(Int(at.x - half))", "y": "\(Int(at.y - 11))",
                            "width": "\(Int(half * 2))", "height": "22", "rx": "11",
                        ]
                    )
                    html.element(
                        "text",
                        ["class": "lag", "x": "\(Int(at.x))", "y": "\(Int(at.y + 4.5))"],
                        text: lag
                    )
                }
                node(&html, place, face.name, face.words, "node \(face.kind)")
            }
            node(&html, middle, daemon.configuration.name, "this machine", "node own")
        }
    }

    private static func place(
        _ index: Int,
        of count: Int,
        around middle: (x: Double, y: Double)
    ) -> (x: Double, y: Double) {
        // Two or four stand better left and right than above and below.
        let turn = count <= 2 ? 0 : count == 4 ? 0.125 : -0.25
        let angle = (Double(index) / Double(count) + turn) * 2 * Double.pi
        let radius = (x: width / 2 - box.width / 2 - 6, y: middle.y - box.height / 2 - 6)
        return (middle.x + radius.x * cos(angle), middle.y + radius.y * sin(angle))
    }

    private func node(
        _ html: inout HTML,
        _ place: (x: Double, y: Double),
        _ name: String,
        _ words: String,
        _ kind: String
    ) {
        let (left, top) = (place.x - Self.box.width / 2, place.y - Self.box.height / 2)
        html.element("g", ["class": kind]) { html in
            html.element(
                "rect",
                [
                    "x": "\(Int(left))", "y": "\(Int(top))", "width": "\(Int(Self.box.width))",
                    "height": "\(Int(Self.box.height))", "rx": "13",
                ]
            )
            html.element("circle", ["cx": "\(Int(left + 20))", "cy": "\(Int(place.y))", "r": "6"])
            let shown = name.count > 14 ? name.prefix(13) + "…" : name
            let size = shown.count > 10 ? "name long" : "name"
            html.element("text", ["class": size, "x": "\(Int(left + 36))", "y": "\(Int(place.y - 3))"]) {
                $0.element("tspan", ["unicode-bidi": "isolate"], text: shown)
            }
            html.element("text", ["x": "\(Int(left + 36))", "y": "\(Int(place.y + 15))"], text: words)
        }
    }
}
