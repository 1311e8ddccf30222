/// Writes whose new bytes lie under temporary names, on the disk; see `Writer.prepare`.
package struct ReadyWrites: Sendable {
    let steps: [Writer.Step]
}
