import JSON

/// The properties for services of the net, which JSContact has in one map (RFC 9555, 2.6.2 and 2.9.5).
///
/// `vCardName` says which it was; without, an entry is a SOCIALPROFILE.
enum OnlineService {
    static let member = "onlineServices"
    static let prefix = "o"

    /// Properties of others that hold the name of an account.
    private static let accounts = [
        "X-AIM": "AIM", "X-GADUGADU": "Gadu-Gadu", "X-GOOGLE-TALK": "Google Talk", "X-GROUPWISE": "GroupWise",
        "X-GTALK": "Google Talk", "X-ICQ": "ICQ", "X-JABBER": "Jabber", "X-MATRIX": "Matrix", "X-MSN": "MSN",
        "X-QQ": "QQ", "X-SKYPE": "Skype", "X-SKYPE-USERNAME": "Skype", "X-TWITTER": "Twitter",
        "X-YAHOO": "Yahoo",
    ]

    static func isOne(_ name: String) -> Bool {
        ["IMPP", "SOCIALPROFILE", "X-SOCIALPROFILE"].contains(name) || accounts[name] != nil
    }

    /// The entry that a line is; nil if it has no value.
    static func entry(_ given: ContentLine) -> JSONObject? {
        var line = given
        _ = line.remove("prop-id")
        guard !line.value.isEmpty else { return nil }
        var entry = JSONObject()
        Flags.contexts.take(&line, into: &entry)
        Rank.take(&line, into: &entry)
        if let label = line.remove(Labels.parameter)?.first { entry["label"] = .string(label) }
        if line.name != "SOCIALPROFILE" { entry["vCardName"] = .string(line.name.lowercased()) }
        switch line.name {
        case "X-SOCIALPROFILE":
            if let service = line.first("type") {
                _ = line.removeType(service)
                entry["service"] = .string(service)
            }
            if let user = line.remove("x-user") { entry["user"] = .string(user.joined(separator: ",")) }
            let uri = TextValue.unescaped(line.value)
            guard uri.isOneLine else { return nil }
            entry["uri"] = .string(uri)
        case "IMPP", "SOCIALPROFILE":
            if let service = line.remove(serviceParameter(line.name)) {
                entry["service"] = .string(service.joined(separator: ","))
            }
            if line.name == "SOCIALPROFILE", line["value"] == ["text"] {
                line["value"] = nil
                entry["user"] = .string(TextValue.unescaped(line.value))
            } else {
                if let user = line.remove("username") { entry["user"] = .string(user.joined(separator: ",")) }
                entry["uri"] = .string(line.value)
            }
        default:
            entry["service"] = .string(accounts[line.name] ?? "")
            entry["user"] = .string(TextValue.unescaped(line.value))
        }
        UnknownParameters.take(line, into: &entry)
        return entry
    }

    /// The line that an entry becomes; nil if it has neither URI nor user.
    static func line(_ entry: JSONObject) -> ContentLine? {
        let named = entry["vCardName"]?.string?.uppercased() ?? ""
        let (uri, user) = (entry["uri"]?.string, entry["user"]?.string)
        let isAccount = accounts[named] != nil && user != nil
        let name =
            isOne(named) && (isAccount || accounts[named] == nil && uri != nil) ? named : "SOCIALPROFILE"
        guard let value = isAccount ? user : uri ?? user, !value.isEmpty, uri?.isOneLine ?? true else {
            return nil
        }
        var line = ContentLine(name, uri == nil || isAccount ? TextValue.escaped(value) : value)
        if name == "X-SOCIALPROFILE", let service = entry["service"]?.string {
            line["type"] = [service.lowercased()]
        }
        Flags.contexts.put(entry, into: &line)
        Rank.put(entry, into: &line)
        if let label = entry["label"]?.string { line[Labels.parameter] = [label] }
        if !isAccount {
            if name != "X-SOCIALPROFILE", let service = entry["service"]?.string {
                line[serviceParameter(name)] = [service]
            }
            if let user, uri != nil { line[name == "X-SOCIALPROFILE" ? "x-user" : "username"] = [user] }
            if uri == nil { line["value"] = ["text"] }
        }
        UnknownParameters.put(entry, into: &line)
        return line
    }

    /// Apple named it before RFC 9554 did.
    private static func serviceParameter(_ name: String) -> String {
        name == "IMPP" ? "x-service-type" : "service-type"
    }
}
