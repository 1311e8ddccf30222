/// How bold a machine is in finding that contacts are the same (DESIGN.md 4); each machine's own view.
package enum Policy: String, Hashable, Sendable, CaseIterable {
    /// Equal numbers are one person unless the evidence speaks against it.
    case phone
    /// As `phone`, but incompatible names are never joined.
    case careful
    /// Nothing is joined but what people joined; the rest is only listed.
    case suggest
}
