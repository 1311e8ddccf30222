import Claims
import FoundationEssentials

/// The claim that is searched for bytes that break it: `CLAIM=frames`, and so on.
private let claim: Claim = {
    let name = ProcessInfo.processInfo.environment["CLAIM"] ?? ""
    guard let claim = Claim(rawValue: name) else {
        preconditionFailure("CLAIM is one of \(Claim.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return claim
}()

/// Where libFuzzer hands its bytes over.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    unsafe claim.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
