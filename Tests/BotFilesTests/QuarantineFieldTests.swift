import Model
import Testing

@testable import BotFiles

@Suite("The tests in quarantine of a bot file")
struct QuarantineFieldTests {
  private static let example = "{test: GreeterTests.slow(), reason: depends on the time of day, until: 2027-12-24}"

  @Test("Each has a name, a reason and a last day, and one may stand without brackets")
  func entries() throws {
    let slow = QuarantinedTest(
      test: TestID(module: "GreeterTests", suite: "", name: "slow()"), reason: "depends on the time of day",
      lastDay: "2027-12-24")
    let old = QuarantinedTest(
      test: TestID(module: "GreeterTests", suite: "OldTests", name: "testAll"), reason: "known", lastDay: "2028-02-29")
    #expect(try Reading.bot(saying: "quarantine: \(Self.example)").quarantine == [slow])
    #expect(
      try Reading.bot(
        saying: "quarantine: [\(Self.example), {test: GreeterTests.OldTests/testAll, reason: known, until: 2028-02-29}]"
      ).quarantine == [slow, old])
    #expect(try Reading.bot(saying: "").quarantine == [])
  }

  @Test(
    "Anything else is a problem with its place",
    arguments: [
      ("slow()", "each of 'quarantine' should be a mapping such as \(Self.example), not 'slow()'"),
      ("{test: M.a(), reason: r}", "each of 'quarantine' needs 'until', such as \(Self.example)"),
      ("{test: M.a(), until: 2026-12-24}", "each of 'quarantine' needs 'reason', such as \(Self.example)"),
      ("{reason: r, until: 2026-12-24}", "each of 'quarantine' needs 'test', such as \(Self.example)"),
      ("{test: M.a(), reason: r, until: 2027-02-29}", "'until' should be a day such as 2027-12-24, not '2027-02-29'"),
      ("{test: M.a(), reason: r, until: soon}", "'until' should be a day such as 2027-12-24, not 'soon'"),
      (
        "{test: slow, reason: r, until: 2026-12-24}",
        "'test' should be the full name of a test such as GreeterTests.slow() or GreeterTests.SlowTests/testAll, not 'slow'"
      ),
    ])
  func problems(entry: String, message: String) {
    let problems = Reading.problems("repository: /git/Greeter\nquarantine: [\(entry)]\n").map(Reading.line)
    #expect(problems.count == 1)
    #expect(problems.first?.hasSuffix(message) == true, "\(problems)")
  }
}
