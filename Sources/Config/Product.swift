/// What the product calls itself.
package enum Product {
    /// Shown by `--version`, in the status and in the log; follows semantic versioning.
    package static let version = "0.1.0"
    /// When that version was made, for its manual pages.
    package static let date = "2026-11-30"
}
