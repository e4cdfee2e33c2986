import Foundation
import Model
import Testing

@testable import Scheduling

@Suite("Which workspace is audited")
struct AuditDecisionTests {
  private let now = Date(timeIntervalSince1970: 1_700_000_000)
  private let main = RefName(branch: "main")
  private let side = RefName(branch: "side")

  private func mark(_ hours: Double, _ number: Int) -> AuditMark {
    AuditMark(date: now.addingTimeInterval(-3600 * hours), number: number)
  }

  private func decision(_ marks: [RefName: AuditMark], _ built: [RefName: Int]) -> AuditDecision {
    AuditDecision(marks: marks, built: built, at: now)
  }

  @Test("One that was built since is due after a day")
  func aDay() {
    #expect(decision([main: mark(24, 1)], [main: 2]).due == main)
    let early = decision([main: mark(23, 1)], [main: 2])
    #expect(early.due == nil)
    #expect(early.next == now.addingTimeInterval(3600))
  }

  @Test("What was not built since is not due, nor what is not known")
  func unchanged() {
    for decision in [
      decision([main: mark(48, 2)], [main: 2]), decision([:], [main: 2]), decision([main: mark(48, 2)], [:]),
    ] {
      #expect(decision.due == nil)
      #expect(decision.next == nil)
    }
  }

  @Test("The one that has waited longest comes first")
  func longest() {
    #expect(decision([main: mark(30, 1), side: mark(31, 1)], [main: 2, side: 2]).due == side)
  }

  @Test("A clock that was set back puts nothing off")
  func setBack() {
    #expect(decision([main: mark(-1000, 1)], [main: 2]).due == main)
  }
}
