import Model
import Testing

@testable import Comparing

/// A scripted history of commits, with the table of issues that is expected after each.
@Suite("Issues through a history of commits")
struct IssueHistoryTests {
  struct Step: Sendable {
    var what: String
    var isAgain = false
    var happens: @Sendable (inout IssueWorld) -> Void
    /// The outcome, then the issues by name: status, age, and `before` for what predates, `back` with the number of
    /// the integration that showed it last, `ended` for a silence that is over.
    var expected: String

    init(
      _ what: String, again: Bool = false, _ expected: String,
      _ happens: @escaping @Sendable (inout IssueWorld) -> Void = { _ in }
    ) {
      self.what = what
      isAgain = again
      self.happens = happens
      self.expected = expected
    }
  }

  @Test("After each of the commits the table is the expected one")
  func table() {
    var world = IssueWorld()
    for (index, step) in Self.history.enumerated() {
      step.happens(&world)
      let (outcome, issues) = world.integrate(again: step.isAgain)
      let rows = issues.map { row($0, in: world) }.sorted()
      #expect(
        ([outcome.rawValue] + rows).joined(separator: "; ") == step.expected, "\(index + 1): \(step.what)")
    }
    #expect(Self.history.count >= 30)
  }

  private func row(_ issue: Issue, in world: IssueWorld) -> String {
    var words = "\(world.label(of: issue.id)) \(issue.status.rawValue) \(issue.age)"
    if issue.life?.predates == true { words += " before" }
    if let last = issue.life?.cameBackFrom { words += " back \(last)" }
    if issue.endedSilence != nil { words += " ended" }
    return words
  }

  private static let cart = "Sources/Shop/Cart.swift"
  private static let till = "Sources/Shop/Till.swift"
  private static let basket = "Sources/Shop/Basket.swift"

  private static let history = beginning + breaking + unsteady + ending

  private static let beginning = [
    Step("Two warnings that were there before", "warnings; a unresolved 0 before; b unresolved 0 before") {
      $0.warn("a", cart, 3)
      $0.warn("b", cart, 9)
      $0.test("sum", .passed)
      $0.test("pay", .passed)
    },
    Step("Nothing", "warnings; a unresolved 1 before; b unresolved 1 before"),
    Step("A third like them, between", "warnings; a unresolved 2 before; b unresolved 2 before; c new 0") {
      $0.warn("c", cart, 6)
    },
    Step("Lines above", "warnings; a unresolved 3 before; b unresolved 3 before; c unresolved 1") {
      $0.insert(40, before: 1, of: cart)
    },
    Step("The first goes", "warnings; a resolved 4 before; b unresolved 4 before; c unresolved 2") { $0.mend("a") },
    Step("The file is renamed", "warnings; b unresolved 5 before; c unresolved 3") { $0.rename(cart, to: basket) },
    Step("Another file takes its name", "warnings; b unresolved 6 before; c unresolved 4; d new 0") {
      $0.warn("d", cart, 49)
    },
    Step("A test fails", "test-failures; b unresolved 7 before; c unresolved 5; d unresolved 1; sum new 0") {
      $0.test("sum", .failed)
    },
  ]

  private static let breaking = [
    Step(
      "The build breaks",
      "build-errors; b unresolved 8 before; c unresolved 6; d unresolved 2; e new 0; sum unresolved 1"
    ) { $0.breakBuild("e", till, 1) },
    Step(
      "All warnings are mended and the failure too, which nobody can see",
      "build-errors; b unresolved 9 before; c unresolved 7; d unresolved 3; e unresolved 1; sum unresolved 2"
    ) {
      for label in ["b", "c", "d"] { $0.mend(label) }
      $0.test("sum", .passed)
    },
    Step(
      "Canceled",
      "canceled; b unresolved 10 before; c unresolved 8; d unresolved 4; e unresolved 2; sum unresolved 3"
    ) {
      $0.mendBuild()
      $0.cancel()
    },
    Step(
      "The build is mended",
      "succeeded; b resolved 10 before; c resolved 8; d resolved 4; e resolved 2; sum resolved 3"),
    Step("Nothing is left", "succeeded"),
    Step("The fix is reverted", "test-failures; sum new 5 back 8") { $0.test("sum", .failed) },
    Step("It is still there", "test-failures; sum unresolved 6 back 8"),
    Step("The test is skipped, which mends nothing", "succeeded; sum unresolved 7 back 8") { $0.test("sum", .skipped) },
    Step("It is filtered out, which does not either", "succeeded; sum unresolved 8 back 8") { $0.filterOut("sum") },
    Step("It runs again and passes", "succeeded; sum resolved 9 back 8") { $0.filterIn("sum", .passed) },
  ]

  private static let unsteady = [
    Step("A flaky test fails", "test-failures; pay new 0") { $0.test("pay", .failed) },
    Step("Again on the same commit it passes", again: true, "succeeded; pay resolved 1") { $0.test("pay", .passed) },
    Step("It passes only after a failed attempt: no issue of its own", "warnings") {
      $0.test("pay", .passed, flaky: true)
    },
    Step("It fails", "test-failures; pay new 3 back 19") { $0.test("pay", .failed) },
    Step("It passes after a failed attempt, which is not fixed", "warnings; pay unresolved 4 back 19") {
      $0.test("pay", .passed, flaky: true)
    },
    Step("It fails, and is silenced for the streak", "succeeded; pay silenced 5 back 19") {
      $0.test("pay", .failed)
      $0.silence("pay", .streak)
    },
    Step("Another crash is not silenced with it", "test-failures; pay silenced 6 back 19; sum new 16 back 15") {
      $0.test("sum", .failed)
    },
    Step("Both pass", "succeeded; pay resolved 7 back 19; sum resolved 17 back 15") {
      $0.test("pay", .passed)
      $0.test("sum", .passed)
    },
    Step("It comes back, and the silence does not", "test-failures; pay new 8 back 25") { $0.test("pay", .failed) },
  ]

  private static let ending = [
    Step(
      "Another toolchain has a warning", "test-failures; pay unresolved 9 back 25; t new 0"
    ) { $0.warn("t", till, 5, "is deprecated") },
    Step("Silenced until a day that is over", "test-failures; pay unresolved 10 back 25 ended; t unresolved 1") {
      $0.silence("pay", .ever, until: 28)
    },
    Step("Silenced for ever", "warnings; pay silenced 11 back 25; t unresolved 2") { $0.silence("pay", .ever) },
    Step(
      "The old warning returns in the renamed file",
      "warnings; b new 29 back 8; pay silenced 12 back 25; t unresolved 3"
    ) {
      $0.warn("b", basket, 49)
    },
    Step("The test is deleted", "warnings; b unresolved 30 back 8; pay resolved 13 back 25; t unresolved 4") {
      $0.delete(test: "pay")
    },
    Step("All is mended", "succeeded; b resolved 31 back 8; t resolved 5") {
      $0.mend("b")
      $0.mend("t")
    },
    Step("Nothing is left", "succeeded"),
  ]
}
