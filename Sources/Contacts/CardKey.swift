/// The names of members that the code looks at, written once.
package enum CardKey {
    package static let type = "@type"
    package static let version = "version"
    package static let uid = "uid"
    package static let updated = "updated"
    package static let name = "name"
    package static let full = "full"
    package static let phones = "phones"
    package static let number = "number"
    package static let emails = "emails"
    package static let address = "address"
    /// The plain form's single number.
    package static let phone = "phone"
    /// The plain form's single address.
    package static let email = "email"

    /// What a Card has before its contact: no fields of a record.
    static let header = [type, version, uid]
}
