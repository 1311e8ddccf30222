/// The port through which numbers get their keys.
package protocol PhoneKeying {
    /// The key of a number as somebody wrote it: `+` and E.164 digits, with `;ext=` and digits for an extension or
    /// for what is dialled afterwards.
    ///
    /// `region` is the book's region as two capital letters, or nil. Nil where the text is not surely one number that
    /// is valid there; the text is then kept and brings no two records together.
    func key(of number: String, region: String?) -> String?

    /// The same without a memory of its answers, for other threads.
    var forgetful: any PhoneKeying & Sendable { get }
}
