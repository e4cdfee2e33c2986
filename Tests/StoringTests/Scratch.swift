import FoundationEssentials
import Glibc
import Model
import Storing
import TestGround
import Testing

/// A folder of its own for one test, which goes with it.
final class Scratch {
  let path: String

  init() throws {
    var template = Array("\(FileManager.default.temporaryDirectory.path)/martlet-store-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { ScratchRemoval.removeAtEnd(path) }

  var database: String { "\(path)/\(Store.fileName)" }
}

let main = RefName(branch: "main")
let noon = Date(timeIntervalSince1970: 1_790_000_000)

extension CommitID: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(rawValue: value)
  }
}

func assignment(
  _ commit: CommitID, covered: [CommitID]? = nil, bot: String = "greeter", ref: RefName? = main,
  cause: Cause = .commit, attempt: Int = 1
) -> Assignment {
  Assignment(
    bot: bot, ref: ref, commit: commit, covered: covered, cause: cause, queuedAt: noon, attempt: attempt)
}

func summary(_ outcome: Outcome = .succeeded) -> IntegrationSummary {
  var tests = TestCounts()
  tests.passed = 11
  tests.failed = 2
  tests.flaky = 1
  let coverage = CoverageTotals(
    lines: LineTally(total: 100, covered: 80, partial: 5), regions: Tally(total: 50, covered: 40),
    functions: Tally(total: 20, covered: 19))
  return IntegrationSummary(
    outcome: outcome, reason: "2 tests failed.", endedAt: noon + 60, tests: tests, coverage: coverage,
    isCoverageComplete: false, warnings: 3, bytes: 4096)
}
