import JSON

/// How a top-level member of a Card divides into fields (DESIGN.md, 3).
package enum MemberShape: Sendable {
    /// One field.
    case whole
    /// An Id map: a field an entry; an Id means nothing, and equal Ids of different origin are two entries.
    case entries
    /// A map whose keys mean something: a field a key.
    case keyed
    /// A set, as a map to true: a field an element.
    case set
}

/// The registered properties of a Card (RFC 9553; RFC 9982 changes only that `uid` is optional).
package enum CardSchema {
    /// How a member divides into fields; a member that is not registered is one field.
    package static func shape(of member: String) -> MemberShape {
        shapes[member] ?? .whole
    }

    /// Of all that are not whole: asked several times a field.
    private static let shapes = KnownNames<MemberShape>(
        properties.filter { $0.value.kind == .map }.map { member, _ in
            switch member {
            case "localizations", "relatedTo": (member, .keyed)
            case "keywords", "members": (member, .set)
            default: (member, .entries)
            }
        }
    )

    /// Whether RFC 9553 gives the member a meaning.
    static func isRegistered(_ member: String) -> Bool { properties[member] != nil || member == CardKey.type }

    /// Members that say something about the card, nothing about anyone.
    static let metadata: Set<String> = [
        CardKey.type, CardKey.version, CardKey.uid, CardKey.updated, "created", "prodId", "language", "kind",
    ]

    /// The place of a member in the order in which a new Card is written; those that are not registered come last.
    static func rank(of member: String) -> Int { ranks[member] ?? order.count }

    private static let ranks = KnownNames(order.enumerated().map { ($0.element, $0.offset) })

    private static let order = [
        CardKey.type, CardKey.version, CardKey.uid, "kind", "name", "nicknames", "organizations", "titles",
        "phones", "emails", "onlineServices", "addresses", "speakToAs", "preferredLanguages", "anniversaries",
        "personalInfo", "notes", "keywords", "members", "relatedTo", "links", "media", "directories",
        "calendars", "schedulingAddresses", "cryptoKeys", "language", "localizations", "created", "updated",
        "prodId",
    ]

    /// The type at a path in the syntax of PatchObject (RFC 9553, 1.4.4); nil if it is not registered.
    static func type(atPointer pointer: String) -> ValueType? {
        var type: ValueType? = card
        for step in pointer.split(separator: "/", omittingEmptySubsequences: false) {
            let key = step.split(separator: "~1", omittingEmptySubsequences: false).map {
                $0.split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
            }.joined(separator: "/")
            type = type?.type(below: key)
        }
        return type
    }

    static let card = ValueType.object(properties)

    private static let properties: [String: ValueType] = [
        "@type": .string, "version": .string, "uid": .string, "created": .string, "updated": .string,
        "kind": .string, "language": .string, "prodId": .string,
        "members": .map(.boolean),
        "relatedTo": .map(.object(["relation": .map(.boolean)])),
        "name": name,
        "nicknames": .map(.object(ranked(["name": .string]))),
        "organizations": .map(
            .object([
                "name": .string, "sortAs": .string, "contexts": .map(.boolean),
                "units": .list(.object(["name": .string, "sortAs": .string])),
            ])
        ),
        "speakToAs": .object([
            "grammaticalGender": .string, "pronouns": .map(.object(ranked(["pronouns": .string]))),
        ]),
        "titles": .map(.object(["name": .string, "kind": .string, "organizationId": .string])),
        "emails": .map(.object(labelled(["address": .string]))),
        "onlineServices": .map(.object(labelled(["service": .string, "uri": .string, "user": .string]))),
        "phones": .map(.object(labelled(["number": .string, "features": .map(.boolean)]))),
        "preferredLanguages": .map(.object(ranked(["language": .string]))),
        "calendars": .map(resource()),
        "schedulingAddresses": .map(.object(labelled(["uri": .string]))),
        "addresses": .map(address),
        "cryptoKeys": .map(resource()),
        "directories": .map(resource(["listAs": .unsigned])),
        "links": .map(resource()),
        "media": .map(resource()),
        "localizations": .map(.patch),
        "anniversaries": .map(
            .object([
                "kind": .string, "place": address,
                // A PartialDate or a Timestamp.
                "date": .object([
                    "year": .unsigned, "month": .unsigned, "day": .unsigned, "calendarScale": .string,
                    "utc": .string,
                ]),
            ])
        ),
        "keywords": .map(.boolean),
        "notes": .map(
            .object([
                "note": .string, "created": .string,
                "author": .object(["name": .string, "uri": .string]),
            ])
        ),
        "personalInfo": .map(
            .object([
                "kind": .string, "value": .string, "level": .string, "listAs": .unsigned, "label": .string,
            ])
        ),
    ]

    private static let name = ValueType.object([
        "components": components, "isOrdered": .boolean, "defaultSeparator": .string, "full": .string,
        "sortAs": .map(.string), "phoneticScript": .string, "phoneticSystem": .string,
    ])

    private static let components = ValueType.list(
        .object(["value": .string, "kind": .string, "phonetic": .string])
    )

    private static let address = ValueType.object(
        ranked([
            "components": components, "isOrdered": .boolean, "countryCode": .string, "coordinates": .string,
            "timeZone": .string, "full": .string, "defaultSeparator": .string, "phoneticScript": .string,
            "phoneticSystem": .string,
        ])
    )

    private static func resource(_ more: [String: ValueType] = [:]) -> ValueType {
        .object(labelled(more.merging(["kind": .string, "uri": .string, "mediaType": .string]) { $1 }))
    }

    private static func labelled(_ own: [String: ValueType]) -> [String: ValueType] {
        ranked(own).merging(["label": .string]) { $1 }
    }

    private static func ranked(_ own: [String: ValueType]) -> [String: ValueType] {
        own.merging(["contexts": .map(.boolean), "pref": .preference]) { $1 }
    }
}
