import CPhoneNumber
package import Contacts

/// Keys by `NumberPlans`, remembered: a number costs about 20 µs. Not for use from two threads at once.
package final class PhoneNumbers: PhoneKeying {
    /// What an answer depends on.
    private struct Question: Hashable {
        let text: String
        let region: String?
    }

    /// The answers that are remembered, at most; about 2 MB. A full cache starts anew.
    private static let maxAnswers = 16_384

    private let plans = NumberPlans()
    private var answers: [Question: String?] = [:]

    package init() {}

    package var forgetful: any PhoneKeying & Sendable { plans }

    /// Whether there is a number plan for a region, given as two capital letters.
    package static func isRegion(_ region: String) -> Bool {
        unsafe cphonenumber_knows_region(region) && region.utf8.count == 2
    }

    package func key(of number: String, region: String?) -> String? {
        let question = Question(text: number, region: region)
        if let known = answers[question] { return known }
        let answer = plans.key(of: number, region: region)
        if answers.count >= Self.maxAnswers { answers = [:] }
        answers[question] = .some(answer)
        return answer
    }
}

/// Keys by the number plans of libphonenumber, behind the rules of `PhoneText`. The library may be asked from several
/// threads at once.
struct NumberPlans: PhoneKeying, Sendable {
    var forgetful: any PhoneKeying & Sendable { self }

    /// The key of a number; a region without a number plan counts as none.
    func key(of number: String, region: String?) -> String? {
        let region = region.flatMap { PhoneNumbers.isRegion($0) ? $0 : nil }
        guard let text = PhoneText(number, region: region) else { return nil }
        for reading in text.readings {
            guard let plan = NumberPlan(reading.digits, region: region), plan.isKey,
                Self.mayDial(reading.vanity, plan)
            else { continue }
            if plan.isAmbiguous(reading.digits, region: region) { return nil }
            let isNumber = { NumberPlan($0, region: region)?.isKey ?? false }
            if text.notNumbers.contains(where: isNumber)
                || text.notBothNumbers.contains(where: { $0.allSatisfy(isNumber) })
            {
                return nil
            }
            return text.extensionDigits.isEmpty ? plan.e164 : plan.e164 + ";ext=" + text.extensionDigits
        }
        return nil
    }

    /// Where numbers vary in length any word makes a valid number, so it is dialled only where words are advertised.
    private static func mayDial(_ vanity: PhoneText.Vanity, _ plan: NumberPlan) -> Bool {
        switch vanity {
        case .none: true
        case .capitals: plan.isNorthAmerican || plan.isService
        case .tied: plan.isNorthAmerican
        }
    }
}
