import AddressBook
import Contacts
import JSON
import Replication
import TestSupport
import Testing

@Suite("Profiles")
struct PersonsProfileTests {
    private static func random(_ random: inout SeededGenerator) -> Profile {
        var profile = Profile(
            uid: UID("urn:uuid:\(random.next())"),
            isMade: random.chance(0.5),
            name: PersonName(["", "Ana", "Łukasz Żak", "Åsa"][random.below(4)]),
            kind: ["individual", "org", "group", ""][random.below(4)]
        )
        for _ in 0..<random.below(4) { profile.phones["+\(random.next())"] = random.chance(0.5) }
        for _ in 0..<random.below(3) { profile.same.append(UID("f\(random.below(200))")) }
        for _ in 0..<random.below(200) where random.chance(0.02) {
            profile.apart.append(UID(String(repeating: "x", count: random.below(300))))
        }
        return profile
    }

    @Test("a profile is read back as it was written")
    func roundTrip() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let profile = Self.random(&random)
            #expect(Profile.decode(uid: profile.uid, profile.encode()) == profile)
        }
    }

    @Test("damaged bytes are no profile, or another one, but never a trap")
    func damaged() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<300 {
            let bytes = Self.random(&random).encode()
            for count in bytes.indices {
                #expect(Profile.decode(uid: UID("f"), Array(bytes[..<count])) == nil)
            }
            var other = bytes
            other[random.below(other.count)] ^= UInt8(1 << random.below(8))
            _ = Profile.decode(uid: UID("f"), other)
            #expect(Profile.decode(uid: UID("f"), bytes + [0]) == nil)
        }
    }

    @Test("a catalog gives back what was put in, whatever was put in before")
    func catalog() {
        for seed in 0..<5 {
            var random = SeededGenerator(seed: UInt64(seed))
            var catalog = Catalog()
            var known: [UID: Profile] = [:]
            for _ in 0..<400 {
                let uid = UID(
                    "f\(random.below(60))" + (random.chance(0.5) ? String(repeating: "é", count: 40) : "")
                )
                var profile = Self.random(&random)
                profile.uid = uid
                profile.same = Set(profile.same).subtracting([uid]).sorted()
                profile.apart = Set(profile.apart).sorted()
                profile.phones = profile.phones.isEmpty ? [:] : ["+\(random.below(9))": random.chance(0.5)]
                known[uid] = random.chance(0.3) ? nil : profile
                catalog.replace(uid, with: known[uid])
            }
            #expect(catalog.count == known.count)
            #expect(catalog.allUIDs == known.keys.sorted())
            for (uid, profile) in known { #expect(catalog.profile(of: uid) == profile) }
            for key in 0..<9 {
                let uids = known.values.filter { $0.phones["+\(key)"] != nil }.map(\.uid).sorted()
                #expect(catalog.uids(on: "+\(key)") == uids)
            }
            #expect(catalog.allKeys == Set(known.values.flatMap(\.phones.keys)).sorted())
        }
    }

    @Test("a mark stays with its number until it is taken away, also where no record carries it")
    func marks() {
        var catalog = Catalog()
        catalog.setShared("+1", .found)
        catalog.setShared("+1", .no)
        catalog.replace(
            UID("f1"),
            with: Profile(uid: UID("f1"), name: PersonName("Ana"), phones: ["+1": false])
        )
        catalog.replace(UID("f1"), with: nil)
        #expect(catalog.mark(of: "+1") == .no)
        #expect(catalog.allKeys.isEmpty)
        catalog.setShared("+1", nil)
        #expect(catalog.mark(of: "+1") == nil)
    }
}
