import Model
import Testing

@Suite("The finished integrations that others are compared with")
struct IndexedIntegrationTests {
  private static func id(_ digit: Character) -> CommitID { CommitID(rawValue: String(repeating: digit, count: 40)) }

  private func integration(
    _ number: Int, _ digit: Character, _ outcome: Outcome = .succeeded, on branch: String? = nil, scope: String? = "s",
    isDirty: Bool = false
  ) -> IndexedIntegration {
    IndexedIntegration(
      number: number, commit: Self.id(digit), branch: branch, outcome: outcome, scope: scope, isDirty: isDirty)
  }

  @Test("The last comparable one of a branch is known, wherever the branch has moved to")
  func lastOfBranch() {
    let past = [
      integration(1, "a", on: "main"), integration(2, "a", on: "topic"), integration(3, "a", .canceled, on: "main"),
    ]
    #expect(past.last(on: "main", scope: "s")?.number == 1)
    #expect(past.last(on: "main", scope: "other") == nil)
    #expect(past.last(on: "gone", scope: "s") == nil)
  }

  @Test("The nearest is the newest conclusive, clean one of the nearest ancestor with the same scope")
  func nearest() {
    let past = [
      integration(1, "a"), integration(2, "b"), integration(3, "b", .testFailures), integration(4, "b", .canceled),
      integration(5, "b", scope: "other"), integration(6, "b", isDirty: true), integration(7, "c", .internalError),
      integration(8, "c", scope: nil),
    ]
    let along = [Self.id("c"), Self.id("b"), Self.id("a")]
    #expect(past.nearest(along: along, scope: "s")?.number == 3)
    #expect(past.nearest(along: along, scope: "other")?.number == 5)
    #expect(past.nearest(along: [Self.id("a")], scope: "s")?.number == 1)
    #expect(past.nearest(along: along, scope: "none") == nil)
    #expect(past.nearest(along: [], scope: "s") == nil)
  }
}
