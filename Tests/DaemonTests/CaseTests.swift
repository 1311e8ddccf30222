import Testing

/// Every folder of `cases/`: inputs that are known to break tools of this kind.
@Suite("Cases")
struct CaseTests {
    @Test("A hard input has the outcome that its case calls right", arguments: Case.ids(withClocks: false))
    func outcome(id: String) throws { try Case.run(id) }

    @Test(
        "A hard input for machines whose clocks differ has the outcome that its case calls right",
        .enabled(if: Executables.clockShifter != nil, "needs libfaketime, and no sanitizer"),
        arguments: Case.ids(withClocks: true)
    )
    func outcomeWithClocks(id: String) throws { try Case.run(id) }
}
