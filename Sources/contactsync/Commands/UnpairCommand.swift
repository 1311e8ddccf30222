extension Command {
    static let unpair = Command(
        name: "unpair",
        arguments: [Argument(name: "PEER", parameter: "peer", kind: .words)],
        summary: "shares nothing more with a peer and refuses it from now on; what it gave stays",
        action: .ask(show: { result, page in
            page.line("\(result.at("unpaired").text("name")) is refused from now on; what it gave stays")
        })
    )
}
