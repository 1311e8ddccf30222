import JSON

/// `expected.json`: what is right.
struct Expectation {
    /// A region for each machine, or one under the empty name for all; an empty text for none.
    private(set) var regions: [String: String] = [:]
    private(set) var commonRegion: String?
    private(set) var contacts: [WantedContact]?
    private(set) var checks: [String: Check] = [:]
    private(set) var byPolicy: [String: [WantedContact]] = [:]
    /// nil: the case does not say; empty: nothing may be reported.
    private(set) var reported: [Report]?
    private(set) var ignored: [String] = []
    private(set) var never: [String] = []
    private(set) var neverNames: [String] = []
    private(set) var neverFor: [String: [String]] = [:]
    private(set) var filesUntouched = false
    private(set) var noDeletionSent = false
    private(set) var noWriteOutside = false
    private(set) var oneFileLeft = false
    private(set) var quietAfterRound: Int?
    private(set) var revisions: Int?
    /// Whether the files are for `import`.
    private(set) var isVCard = false

    /// What one `check` step compares with.
    struct Check {
        var contacts: [WantedContact]?
        var equalToFile: String?
        var sameIDsOnAll = false
        var sameIDsAs: String?
    }

    init() {}

    init(_ value: JSONValue) throws {
        for member in value.object ?? JSONObject() {
            let value = member.value
            switch member.key {
            case "case", "seen_in", "fault", "why", "alive": break  // whether it lives is asked at every look
            case "format":
                guard value.string == "vcard" else { throw Failure("an unknown format: \(value)") }
                isVCard = true
            case "region":
                commonRegion = value.string
                for region in value.object ?? JSONObject() { regions[region.key] = region.value.string ?? "" }
            case "contacts": contacts = try value.array?.map(WantedContact.init)
            case "checks":
                for check in value.object ?? JSONObject() { checks[check.key] = try Check(check.value) }
            case "by_policy":
                for policy in value.object ?? JSONObject() {
                    byPolicy[policy.key] = try policy.value.array?.map(WantedContact.init)
                }
            case "reported": reported = try value.texts.map(Report.init)
            case "ignored": ignored = value.texts
            case "never": never = value.texts
            case "never_names": neverNames = value.texts
            case "never_for":
                for name in value.object ?? JSONObject() { neverFor[name.key] = name.value.texts }
            case "files_untouched": filesUntouched = value.bool ?? false
            case "no_delete_sent": noDeletionSent = value.bool ?? false
            case "no_write_outside": noWriteOutside = value.bool ?? false
            case "one_file_left": oneFileLeft = value.bool ?? false
            case "quiet_after_round": quietAfterRound = value.integer.map(Int.init)
            case "revisions": revisions = value.integer.map(Int.init)
            default: throw Failure("expected.json says `\(member.key)`, which this test does not know")
            }
        }
        guard contacts != nil || !checks.isEmpty || !byPolicy.isEmpty else {
            throw Failure("nothing is expected")
        }
    }

    /// The region of a machine; nil for none.
    func region(of machine: String) -> String? {
        guard let own = regions[machine] else { return commonRegion }
        return own.isEmpty ? nil : own
    }

    /// What a check with this label compares with.
    func check(_ label: String, policy: String?) throws -> Check {
        if let check = checks[label] { return check }
        guard let contacts = policy.flatMap({ byPolicy[$0] }) ?? contacts else {
            throw Failure("nothing is expected at check \(label)")
        }
        return Check(contacts: contacts)
    }
}

extension Expectation.Check {
    init(_ value: JSONValue) throws {
        self.init()
        for member in value.object ?? JSONObject() {
            switch member.key {
            case "machine": break  // the step says which
            case "contacts": contacts = try member.value.array?.map(WantedContact.init)
            case "equal_to_file": equalToFile = member.value.string
            case "ids_equal_on_all": sameIDsOnAll = member.value.bool ?? false
            case "ids_same_as": sameIDsAs = member.value.string
            default: throw Failure("a check says `\(member.key)`, which this test does not know")
            }
        }
    }
}
