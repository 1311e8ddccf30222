/// What the value of a property is, as far as writing and comparing need to know.
enum PropertyKind {
    case text
    /// Components between semicolons, each a list.
    case structured
    /// Texts between commas.
    case list
    case uri
    case date
    case other

    /// The kind by the property's name (RFC 6350, 6; RFC 9554; RFC 2426).
    static func of(_ name: String) -> PropertyKind {
        switch name {
        case "FN", "EMAIL", "TEL", "TITLE", "ROLE", "NOTE", "LANG", "HOBBY", "INTEREST", "EXPERTISE",
            "PRONOUNS", "BIRTHPLACE", "DEATHPLACE", "PRODID", "KIND", "LANGUAGE", "GRAMGENDER", "UID",
            "SORT-STRING", "CLASS", "MAILER", "NAME", "LABEL", "AGENT", "TZ", "PROFILE", "JSPROP":
            .text
        case "N", "ADR", "ORG", "GENDER", "CLIENTPIDMAP": .structured
        case "NICKNAME", "CATEGORIES": .list
        case "PHOTO", "LOGO", "SOUND", "KEY", "URL", "SOURCE", "IMPP", "FBURL", "CALURI", "CALADRURI",
            "MEMBER", "RELATED", "ORG-DIRECTORY", "CONTACT-URI", "SOCIALPROFILE", "GEO":
            .uri
        case "BDAY", "DEATHDATE", "ANNIVERSARY", "REV", "CREATED", "X-ABDATE": .date
        default: .other
        }
    }

    /// The values of `VALUE` that say no more than the property's name.
    static func isDefault(_ value: String, _ name: String) -> Bool {
        switch (of(name), value) {
        case (.text, "text"), (.list, "text"), (.structured, "text"): name != "UID"
        case (.uri, "uri"), (.uri, "url"): true
        case (.text, "uri"): name == "UID"
        case (.date, "date"), (.date, "date-time"), (.date, "date-and-or-time"), (.date, "timestamp"): true
        default: false
        }
    }
}
