import Model
import Testing

@testable import Comparing

@Suite("Issues made of findings")
struct IssueFinderTests {
  @Test("Errors come first, then red tests, then warnings; notes and remarks are no issues")
  func order() {
    let issues = IssueFinder.issues(
      diagnostics: [
        Finding.diagnostic(.warning, "never used"), Finding.diagnostic(.error, "cannot find 'Cookie' in scope"),
        Finding.diagnostic(.note, "did you mean"), Finding.diagnostic(.remark, "module loaded"),
        Finding.diagnostic(.error, "undefined symbol: pour", isLinker: true),
      ],
      tests: [Finding.result("a", .failed, failures: [Finding.failure("no")]), Finding.result("b", .passed)])
    #expect(issues.map(\.kind) == [.error, .linkerError, .testFailure, .warning])
    #expect(issues.map(\.status) == [.new, .new, .new, .new])
    #expect(issues.map(\.age) == [0, 0, 0, 0])
    #expect(
      issues.map(\.message) == ["cannot find 'Cookie' in scope", "undefined symbol: pour", "no", "never used"])
  }

  @Test(
    "Only red tests are issues, each of its kind",
    arguments: [
      (TestState.failed, Issue.Kind.testFailure, "The test failed without a message."),
      (.crashed, .crash, "The process ended while this test was running."),
      (.timedOut, .timeOut, "The test took longer than it may."),
    ])
  func redTests(state: TestState, kind: Issue.Kind, message: String) throws {
    let place = SourceLocation(file: "Tests/ShopTests/CartTests.swift", line: 3)
    let result = Finding.result("a", state, location: place)
    let issue = try #require(IssueFinder.issues(diagnostics: [], tests: [result]).first)
    #expect(issue.kind == kind)
    #expect(issue.message == message)
    #expect(issue.location == place)
    #expect(issue.test == Finding.test("a"))
  }

  @Test("A test that ended its process is an issue where it did, and nothing but a run to its end resolves it")
  func quit() throws {
    var result = Finding.result(
      "a", .notRun, location: SourceLocation(file: "Tests/ShopTests/CartTests.swift", line: 3))
    #expect(IssueFinder.issues(diagnostics: [], tests: [result]).isEmpty)
    result.quit = ProcessQuit()
    #expect(IssueFinder.issues(diagnostics: [], tests: [result]).map(\.location) == [result.location])
    let place = SourceLocation(file: "Sources/Shop/Cart.swift", line: 9)
    result.quit = ProcessQuit(call: "exit(0)", location: place)
    let issue = try #require(IssueFinder.issues(diagnostics: [], tests: [result]).first)
    #expect(issue.kind == .quit && issue.location == place && issue.test == result.id)
    #expect(issue.message == "Ended the process: exit(0)")
    let memory = Finding.memory([issue])
    func then(_ state: TestState?) -> [Issue.Status] {
      let reach = IssueReach(built: true, tests: state.map { [result.id: $0] } ?? [:], listed: true)
      return Finding.compare([], with: memory, reach: reach).map(\.status)
    }
    #expect(then(.passed) == [.resolved] && then(nil) == [.resolved])
    #expect(then(.notRun) == [.unresolved] && then(.skipped) == [.unresolved])
    #expect(then(.failed) == [])
  }

  @Test("What a sanitizer found is an issue of its own, and the test is one besides only where it failed otherwise")
  func sanitizer() {
    let place = SourceLocation(file: "Sources/Shop/Cart.swift", line: 9)
    let frames = [StackFrame(number: 0, function: "Cart.add()", location: place)]
    let reports = ["data race", "thread leak"].map {
      SanitizerReport(
        sanitizer: "ThreadSanitizer", problem: $0, stacks: [ThreadStack(frames: frames)], headline: $0, isFatal: false)
    }
    var result = Finding.result("a", .failed, failures: reports.map { Finding.failure($0.story) })
    result.sanitizerReports = reports
    let issues = Finding.named(IssueFinder.issues(diagnostics: [], tests: [result]))
    #expect(issues.map(\.kind) == [.sanitizer, .sanitizer])
    #expect(issues.map(\.message) == ["ThreadSanitizer: data race", "ThreadSanitizer: thread leak"])
    #expect(issues.map(\.location) == [place, place])
    #expect(Set(issues.map(\.id)).count == 2)
    result.failures.append(Finding.failure("no"))
    #expect(
      IssueFinder.issues(diagnostics: [], tests: [result]).map(\.kind) == [.testFailure, .sanitizer, .sanitizer])
  }

  @Test("Tests that are not red make no issue")
  func calmTests() {
    let calm = TestState.allCases.filter { !$0.isRed }.map { Finding.result($0.rawValue, $0) }
    #expect(calm.count == 5)
    #expect(IssueFinder.issues(diagnostics: [], tests: calm).isEmpty)
  }

  @Test("A failure without a place takes that of the next one, and then the test's own")
  func places() throws {
    let thrown = Finding.result(
      "a", .failed, failures: [Finding.failure("threw", line: nil), Finding.failure("then", line: 9)])
    #expect(IssueFinder.issues(diagnostics: [], tests: [thrown]).first?.location?.line == 9)
    let lost = Finding.result(
      "a", .failed, failures: [Finding.failure("threw", line: nil)],
      location: SourceLocation(file: "Tests/ShopTests/CartTests.swift", line: 2))
    #expect(IssueFinder.issues(diagnostics: [], tests: [lost]).first?.location?.line == 2)
  }
}

@Suite("Names of issues")
struct IssueNamesTests {
  private func names(_ diagnostics: [Diagnostic], _ tests: [TestResult] = []) -> [String] {
    Finding.named(IssueFinder.issues(diagnostics: diagnostics, tests: tests)).map(\.id)
  }

  @Test("Are short: a letter for the kind and eight hexadecimal digits")
  func shape() {
    let kinds: [(Diagnostic, Character)] = [
      (Finding.diagnostic(.error, "x"), "e"), (Finding.diagnostic(.error, "x", isLinker: true), "e"),
      (Finding.diagnostic(.warning, "x"), "w"),
    ]
    for (diagnostic, letter) in kinds {
      let name = names([diagnostic])[0]
      #expect(name.first == letter)
      #expect(name.wholeMatch(of: /[a-z]-[0-9a-f]{8}/) != nil, "\(name)")
    }
    for (state, letter) in [(TestState.failed, Character("t")), (.crashed, "c"), (.timedOut, "h")] {
      #expect(names([], [Finding.result("a", state)])[0].first == letter)
    }
  }

  @Test("Stay the same when the line moves and when numbers in the message change")
  func stable() {
    let name = names([Finding.diagnostic(.warning, "10 of 12 bytes at 0x7ffd00 unused", line: 4)])
    #expect(name == names([Finding.diagnostic(.warning, "9 of 8 bytes at 0x7fab1c unused", line: 400)]))
  }

  @Test("Differ by kind, file and words")
  func different() {
    let all =
      names([Finding.diagnostic(.warning, "never used")]) + names([Finding.diagnostic(.error, "never used")])
      + names([Finding.diagnostic(.warning, "never read")])
      + names([Finding.diagnostic(.warning, "never used", in: "Sources/Shop/Till.swift")])
      + names([Finding.diagnostic(.error, "never used", isLinker: true)])
    #expect(Set(all).count == all.count)
  }

  @Test("A test has one name however it fails and wherever")
  func tests() {
    let one = names([], [Finding.result("a", .failed, failures: [Finding.failure("1 is not 2", line: 7)])])
    let other = names([], [Finding.result("a", .failed, failures: [Finding.failure("threw", line: nil)])])
    #expect(one == other)
    #expect(one != names([], [Finding.result("b", .failed)]))
  }

  @Test("Findings that are alike are told apart by their order, and keep their names when one is added behind")
  func alike() {
    let twice = [
      Finding.diagnostic(.warning, "never used", line: 3), Finding.diagnostic(.warning, "never used", line: 8),
    ]
    let names2 = names(twice)
    let names3 = names(twice + [Finding.diagnostic(.warning, "never used", line: 12)])
    #expect(Set(names2).count == 2)
    #expect(Set(names3).count == 3)
    #expect(Array(names3.prefix(2)) == names2)
    #expect(names([twice[0]]) == [names2[0]])
  }

  @Test("Many that are alike are named in the time of many that are not, and none is passed over")
  func many() {
    var names = IssueNames()
    let issue = Issue(id: "", kind: .warning, message: String(repeating: "never used ", count: 50))
    let some = (0..<4).map { _ in names.name(for: issue) }
    // Of what is known already, two are in the way.
    var others = IssueNames(taken: [some[0], some[2]])
    #expect((0..<2).map { _ in others.name(for: issue) } == [some[1], some[3]])
    let all = (0..<20_000).map { _ in names.name(for: issue) }
    #expect(Set(all + some).count == 20_004)
  }

  @Test(
    "Numbers in a message become one sign, words stay",
    arguments: [
      ("took 12.5 seconds", "took # seconds"), ("at 0x7ffd_00aB", "at #"), ("Tests2", "Tests#"), ("a-1-2", "a-#-#"),
      ("id E621E1F8-C36C-495A-93FC-0C247A3E6E5F gone", "id # gone"), ("took 1.5e-05 s", "took # s"),
      ("blob deadbeef12 and deadbeef", "blob # and deadbeef"), ("E621E1F8-C36C", "#-C#"), ("1e", "#"), ("1-", "#-"),
      ("no number", "no number"), ("", ""), ("3", "#"), ("٣ oranges", "٣ oranges"),
    ])
  func wordsOnly(message: String, words: String) {
    #expect(Fingerprint.wordsOnly(message) == words)
  }
}
