import Comparing
@testable import Model
import Testing

@testable import Rendering

@Suite("The comparison of integrations with several destinations")
struct DestinationComparisonTests {
  private static let names = (
    one: GreeterTests.id("GreeterTests", "Greeting", "one()"), two: GreeterTests.id("GreeterTests", "Greeting", "two()")
  )

  /// An integration of destinations in an order, of two tests each.
  ///
  /// - Parameter red: the tests that are red, by destination.
  private static func whole(
    _ number: Int, _ order: [String], red: [String: [TestID]], _ issues: [Model.Issue] = []
  ) -> Integration {
    let all = order.map { name in
      var (cell, destination) = (GreeterSample.green.integration, Destination())
      let isRed = red[name]?.isEmpty == false
      destination.name = name
      (cell.number, cell.outcome) = (number, isRed ? .testFailures : .succeeded)
      cell.destination = DestinationResult(destination, leads: name == order[0], outcome: cell.outcome)
      cell.issues = []
      let results = [names.one, names.two].map { id in
        TestResult(id: id, library: .swiftTesting, state: red[name]?.contains(id) == true ? .failed : .passed)
      }
      cell.tests = TestReport(results: results, runs: GreeterTests.runs)
      return cell
    }
    var whole = all[0]
    whole.cells = Array(all.dropFirst())
    if all.contains(where: { !$0.outcome.isGreen }) { whole.outcome = .testFailures }
    whole.issues = issues
    return whole
  }

  private static func comparison(_ before: Integration, _ after: Integration) -> IntegrationComparison {
    IntegrationComparison(
      from: IntegrationRecord(before), to: IntegrationRecord(after), coverage: .unknown(reason: "no lines"),
      commits: CommitsBetween(.forward))
  }

  private static func headline(_ before: Integration, _ after: Integration) -> String {
    ComparisonWords(comparison(before, after)).headline
  }

  private static let green = whole(41, ["debug", "release"], red: [:])
  private static let redForRelease = whole(42, ["debug", "release"], red: ["release": [names.two]])

  @Test("A test that changed for one destination is told with its name, also where that does not lead")
  func forOne() {
    #expect(Self.headline(Self.green, Self.redForRelease) == "Greeter 41 → 42: two() went red for release")
    #expect(Self.headline(Self.redForRelease, Self.green) == "Greeter 42 → 41: two() fixed for release")
    let both = Self.whole(43, ["debug", "release"], red: ["debug": [Self.names.one], "release": [Self.names.two]])
    #expect(
      Self.headline(Self.green, both) == "Greeter 41 → 43: one() went red for debug and two() went red for release")
    let words = ComparisonWords(Self.comparison(Self.green, Self.redForRelease))
    #expect(words.testSummary == "1 went red for release; 2 tests as before for debug")
    #expect(words.testGroups.map(\.destinations) == [["release"]])
  }

  @Test("What became of a test for all destinations names none")
  func forAll() {
    let red = Self.whole(42, ["debug", "release"], red: ["debug": [Self.names.two], "release": [Self.names.two]])
    #expect(Self.headline(Self.green, red) == "Greeter 41 → 42: two() went red")
    let words = ComparisonWords(Self.comparison(Self.green, red))
    #expect(words.testSummary == "1 went red; 1 test as before")
    #expect(words.testGroups.map(\.tests.count) == [1])
    let still = Self.whole(43, ["debug", "release"], red: ["release": [Self.names.two]])
    #expect(Self.headline(Self.redForRelease, still) == "Greeter 42 → 43: two() still red for release")
  }

  @Test("The steps are those of the leading destination, and so is what they add up to")
  func steps() {
    let page = ComparisonPage(Self.comparison(Self.green, Self.redForRelease), time: .utc)
    #expect(page.record["stepsOf"] == .shown("debug"))
    var (whole, release) = (GreeterSample.red.integration, GreeterSample.green.integration)
    var destination = Destination()
    destination.name = "release"
    release.destination = DestinationResult(destination, leads: false, outcome: .succeeded)
    whole.cells = [release]
    let link = "\(ReportPaths.cell("release"))/index.html#logs"
    #expect(StepsSection.others(in: whole) == [.record(["name": .shown("release"), "link": .text(link)])])
    guard case .list(let rows) = page.steps, case .record(let total)? = rows.last else {
      Testing.Issue.record("The steps have no rows.")
      return
    }
    #expect(total["after"] == .text(DurationText.fine(Self.redForRelease.steps.duration)))
  }

  @Test("Each destination is compared with itself, whichever leads")
  func reordered() {
    let other = Self.whole(43, ["release", "debug"], red: ["release": [Self.names.two]])
    let comparison = Self.comparison(Self.redForRelease, other)
    #expect(comparison.tests.broken.isEmpty && comparison.tests.stillRed.map(\.id) == [Self.names.two])
    #expect(comparison.destinations?.map(\.name) == ["debug"])
    #expect(comparison.count(.red)?.change == 0)
  }

  @Test("The page names who broke a test for the destination, and links to its page there")
  func page() throws {
    var issue = Model.Issue(id: "t-1", kind: .testFailure, status: .new, message: "no", test: Self.names.two)
    issue.suspects = [Suspect(name: "Hal", email: "", confidence: .high, reason: "")]
    issue.destinations = ["debug"]
    var other = issue
    other.suspects = [
      Suspect(
        name: "Gus", email: "", confidence: .high, reason: "", commit: CommitID(rawValue: "ae10303e42"),
        file: "Sources/Atlas/Place.swift")
    ]
    other.destinations = ["release"]
    issue.elsewhere = [other]
    let after = Self.whole(42, ["debug", "release"], red: ["release": [Self.names.two]], [issue])
    let links = ComparisonPage.Links(testElsewhere: { "\($1)/\($0.name)" })
    let page = ComparisonPage(Self.comparison(Self.green, after), links: links, time: .utc)
    let row = "\(page.record["tests"] ?? .missing)"
    #expect(row.contains("Gus") && !row.contains("Hal") && row.contains("release/two()"), "\(row)")
    #expect(row.contains("changed ") && row.contains("Place.swift in ae10303"), "\(row)")
  }

  @Test("The page of tests counts as red what is red for any destination")
  func tests() throws {
    var report = GreeterSample.green
    report.integration = Self.redForRelease
    let context = ReportContext(report, library: try PageSite.templates(), time: .utc)
    let record = TestsPage(context, number: 1).record
    #expect(record["heading"] == .text("1 of 2 tests is red"))
    #expect(record["worse"] == .list([]))
    #expect("\(record["glyph"] ?? .missing)".contains("failed"))
    report.integration = Self.green
    let green = TestsPage(ReportContext(report, library: try PageSite.templates(), time: .utc), number: 1).record
    #expect("\(green["heading"] ?? .missing)".contains("All 2 tests passed"))
    #expect((green["worse"] ?? .missing) == .list([]))
  }
}
