import JSON

extension Command {
    static let peers = Command(
        name: "peers",
        summary: "the machines that share books with this one",
        action: .ask(show: { peers, page in
            StatusPage.peers(peers.array ?? [], reasons: true, &page)
            if peers.array?.isEmpty == true {
                page.line(
                    "no peers: say `contactsync pair` here and `contactsync pair HOST` on another machine"
                )
            }
        })
    )
}
