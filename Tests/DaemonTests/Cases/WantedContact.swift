import JSON

/// A contact that must be there, with what it must hold at least.
struct WantedContact {
    /// The full name; nil for none.
    private(set) var name: String?
    /// Any of these is right, where the case leaves it open.
    private(set) var anyName: [String]?
    /// The full set; of an inner list any value is right.
    private(set) var phones: [[String]] = []
    private(set) var uid: String?
    private(set) var kind: String?
    /// Texts that must be among the entries of a member, and the inner member that holds them.
    private(set) var texts: [(member: String, inner: String, wanted: [String])] = []
    private(set) var labels: [String: String] = [:]
    private(set) var asWritten: [String] = []
    private(set) var memberNames: [String]?
    private(set) var unknownMembers: [String] = []
    private(set) var otherNameIsNickname = false

    init(_ value: JSONValue) throws {
        for member in value.object ?? JSONObject() {
            let value = member.value
            switch member.key {
            case "name": name = value.string
            case "any_name": anyName = value.texts
            case "phones": phones = value.array?.map { $0.array == nil ? [$0.string ?? ""] : $0.texts } ?? []
            case "uid": uid = value.string
            case "kind": kind = value.string
            case "emails": texts.append(("emails", "address", value.texts))
            case "notes": texts.append(("notes", "note", value.texts))
            case "organizations", "nicknames": texts.append((member.key, "name", value.texts))
            case "labels":
                for label in value.object ?? JSONObject() { labels[label.key] = label.value.string }
            case "as_written_kept": asWritten = value.texts
            case "members_lead_to": memberNames = value.texts
            case "members_kept_unknown": unknownMembers = value.texts
            case "nicknames_hold_the_other_name": otherNameIsNickname = value.bool ?? false
            default: throw Failure("a contact says `\(member.key)`, which this test does not know")
            }
        }
    }

    /// Name and numbers, for a failure's sentence.
    var brief: String {
        "\(anyName?.joined(separator: " or ") ?? name ?? "(no name)") \(phones.map { $0.joined(separator: " or ") })"
    }

    /// Why a person is not this contact; empty if it is.
    ///
    /// `isReadable` says whether a text can still be read from the person somewhere (card, sources, file).
    func faults(in person: Person, among people: [Person], isReadable: (String) throws -> Bool) rethrows
        -> [String]
    {
        var faults: [String] = []
        if let anyName {
            if !anyName.contains(person.name ?? "") {
                faults.append("name: want one of \(anyName), have \(person.name ?? "none")")
            }
        } else if name != person.name {  // canonically equivalent names are equal
            faults.append("name: want \(name ?? "none"), have \(person.name ?? "none")")
        }
        if let fault = WantedContact.phonesFault(want: phones, have: person.phones.map(\.value)) {
            faults.append(fault)
        }
        if let uid, !uid.isExactly(person.uid) {
            faults.append("uid: want \(uid.shortened(to: 60)), have \(person.uid.shortened(to: 60))")
        }
        let personKind = person.kind ?? person.card["kind"]?.string ?? "individual"
        if let kind, kind != personKind { faults.append("kind: want \(kind), have \(personKind)") }
        for (member, inner, wanted) in texts {
            let have = person.entries(member).compactMap { $0[inner]?.string }
            for text in wanted where !have.contains(text) {
                faults.append("\(member): \(text) is not in \(have)")
            }
        }
        for (key, label) in labels.sorted(by: { $0.key < $1.key }) {
            let numbers = person.phones.filter { $0.value == key }.map(\.number)
            let have = person.entries("phones").filter { numbers.contains($0["number"]?.string ?? "") }.map {
                $0["label"]?.string
            }
            if !have.contains(label) {
                faults.append("label of \(key): want \(label), have \(have.map { $0 ?? "none" })")
            }
        }
        faults += memberFaults(in: person, among: people)
        if otherNameIsNickname, let anyName {
            let nicknames = person.entries("nicknames").compactMap { $0["name"]?.string }
            for other in anyName where other != person.name && !nicknames.contains(other) {
                faults.append("nicknames: \(other) is not in \(nicknames)")
            }
        }
        guard faults.isEmpty else { return faults }
        for text in asWritten where try !isReadable(text) {
            faults.append("\(text) can no longer be read from the contact")
        }
        return faults
    }

    private func memberFaults(in person: Person, among people: [Person]) -> [String] {
        var faults: [String] = []
        let members = person.card["members"]?.object?.filter { $0.value.bool == true }.map(\.key) ?? []
        if let memberNames {
            let led = people.filter { person in members.contains { person.isKnown(by: $0) } }.map {
                $0.name ?? ""
            }
            if Set(led) != Set(memberNames) {
                faults.append("members lead to \(Set(led).sorted()), want \(memberNames)")
            }
        }
        for unknown in unknownMembers where !members.contains(unknown) {
            faults.append("members: \(unknown) is lost")
        }
        return faults
    }

    private static func phonesFault(want: [[String]], have: [String]) -> String? {
        let pairs = greatestPairing(want.count, have.count) { wanted, had in
            want[wanted].contains { $0.isExactly(have[had]) }
        }
        return pairs.count == want.count && want.count == have.count
            ? nil : "phones: want \(want.map { $0.joined(separator: " or ") }), have \(have)"
    }
}
