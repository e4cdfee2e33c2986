import FoundationEssentials
import Model

@testable import Comparing

/// A package of which only the findings exist: what a test lets happen to it, and what integrations make of that.
struct IssueWorld {
  /// A warning with a name that only the test knows.
  struct Warning {
    var label: String
    var file: String
    var line: Int
    var words: String
  }

  private(set) var number = 0
  private(set) var commit = CommitID(rawValue: "0")
  private(set) var memory: IssueMemory?
  private var warnings: [Warning] = []
  private var errors: [Warning] = []
  private var tests: [String: TestState] = [:]
  private var flaky: Set<String> = []
  private var filteredOut: Set<String> = []
  private var changes: [FileDifference] = []
  private var labels: [String: String] = [:]
  private var silences: [Silence] = []
  private var isVoid = false

  // MARK: What happens

  mutating func warn(_ label: String, _ file: String, _ line: Int, _ words: String = "never used") {
    warnings.append(Warning(label: label, file: file, line: line, words: words))
  }

  mutating func mend(_ label: String) { warnings.removeAll { $0.label == label } }

  mutating func breakBuild(_ label: String, _ file: String, _ line: Int) {
    errors.append(Warning(label: label, file: file, line: line, words: "cannot find it in scope"))
  }

  mutating func mendBuild() { errors = [] }

  mutating func test(_ name: String, _ state: TestState, flaky isFlaky: Bool = false) {
    tests[name] = state
    flaky.remove(name)
    if isFlaky { flaky.insert(name) }
  }

  mutating func delete(test name: String) { tests[name] = nil }

  mutating func filterOut(_ name: String) {
    tests[name] = nil
    filteredOut.insert(name)
  }

  mutating func filterIn(_ name: String, _ state: TestState) {
    filteredOut.remove(name)
    tests[name] = state
  }

  /// Puts lines into a file, so that what follows moves down.
  mutating func insert(_ count: Int, before line: Int, of file: String) {
    let hunk = LineMap.Hunk(old: line..<line, new: line..<(line + count))
    changes.append(
      FileDifference(status: .modified, oldPath: file, newPath: file, lines: LineMap(hunks: [hunk])))
    eachFinding { if $0.file == file, $0.line >= line { $0.line += count } }
  }

  mutating func rename(_ file: String, to path: String) {
    changes.append(FileDifference(status: .renamed, oldPath: file, newPath: path, lines: .identity))
    eachFinding { if $0.file == file { $0.file = path } }
  }

  private mutating func eachFinding(_ change: (inout Warning) -> Void) {
    for index in warnings.indices { change(&warnings[index]) }
    for index in errors.indices { change(&errors[index]) }
  }

  mutating func silence(_ label: String, _ scope: Silence.Scope, until: Int? = nil) {
    guard let id = id(of: label), let record = memory?.records.first(where: { $0.id == id }) else { return }
    silences.append(
      Silence(
        issue: id, scope: scope, reason: "known", author: "Mira", since: Date(timeIntervalSince1970: 0),
        until: until.map { Date(timeIntervalSince1970: Double($0)) },
        number: scope == .streak ? record.life.streakStart : number, commit: commit, message: ""))
  }

  mutating func cancel() { isVoid = true }

  // MARK: What comes of it

  /// The name in the test of an issue's id.
  func label(of id: String) -> String { labels[id] ?? "?\(id)" }

  func id(of label: String) -> String? { labels.first { $0.value == label }?.key }

  var openLabels: Set<String> {
    Set((warnings + errors).map(\.label)).union(tests.filter { $0.value.isRed }.map { $0.key })
  }

  /// What the integration can see: warnings only where it builds, and tests only then.
  var isBuilt: Bool { errors.isEmpty }

  var testStates: [String: TestState] { isBuilt ? tests : [:] }

  func isFlaky(_ test: String) -> Bool { flaky.contains(test) }

  var isCanceled: Bool { isVoid }

  /// Integrates; a test's label is its name.
  ///
  /// - Parameter again: whether it is the same commit as before.
  /// - Returns: the outcome, and the issues.
  mutating func integrate(again: Bool = false) -> (outcome: Outcome, issues: [Issue]) {
    number += 1
    if !again { commit = CommitID(rawValue: "\(number)") }
    let seen = isBuilt ? warnings : errors
    let diagnostics = seen.map {
      Finding.diagnostic(isBuilt ? .warning : .error, $0.words, in: $0.file, line: $0.line)
    }
    let results = testStates.keys.sorted().map { name in
      Finding.result(name, testStates[name] ?? .notRun, isFlaky: flaky.contains(name))
    }
    let found = IssueFinder.issues(diagnostics: diagnostics, tests: results)
    let reach =
      isVoid
      ? IssueReach.void
      : IssueReach(
        built: isBuilt,
        tests: Dictionary(results.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first }),
        listed: isBuilt && !tests.isEmpty, filteredOut: Set(filteredOut.map(Finding.test)),
        flaky: Set(flaky.map(Finding.test)))
    let result = IssueComparison(
      number: number, commit: commit, reach: reach, silences: silences,
      now: Date(timeIntervalSince1970: Double(number))
    ).compare(found, with: memory, after: SourceDifference(changes))
    remember(result, seen.map(\.label) + results.filter(\.state.isRed).map(\.id.name))
    var evidence = Verdict.Evidence(built: isBuilt, diagnostics: diagnostics, tests: TestReport(results: results))
    evidence.silenced = result.silenced
    let outcome = isVoid ? .canceled : Verdict.of(evidence).outcome
    changes = isVoid ? changes : []
    isVoid = false
    return (outcome, result.issues)
  }

  /// The findings come first and in their order, so that each can be named.
  private mutating func remember(_ result: FollowedIssues, _ names: [String]) {
    let order = names.isEmpty ? [] : Array(result.issues.prefix(names.count))
    let sorted = order.sorted { one, other in (one.test == nil ? 0 : 1) < (other.test == nil ? 0 : 1) }
    for (issue, name) in zip(sorted, names) where labels[issue.id] == nil { labels[issue.id] = name }
    if !isVoid { memory = result.memory }
  }
}
