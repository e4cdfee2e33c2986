import Model

/// The issues of a test, or of one of its cases, that decide how it ended.
struct SwiftTestingIssues: Sendable {
  private(set) var failures = KeptFailures()
  private(set) var known = KeptFailures()

  mutating func add(_ issue: TestFailure, isKnown: Bool, within room: inout FailureRoom) {
    if isKnown { known.add(issue, within: &room) } else { failures.add(issue, within: &room) }
  }

  /// Returns the state; failures outweigh a test's own request to be canceled, which alone is not a failure.
  func state(isCanceled: Bool) -> TestState? {
    if failures.all.contains(where: { $0.message.hasPrefix("Time limit was exceeded") }) { return .timedOut }
    if !failures.isEmpty { return .failed }
    if isCanceled { return .canceled }
    return known.isEmpty ? nil : .expectedFailure
  }
}

/// A test function according to the event stream, while events are still arriving.
struct SwiftTestingTestRecord: Sendable {
  struct Case: Sendable {
    var key: String
    var display: String
    var hasEnded = false
    var isCanceled = false
    var issues = SwiftTestingIssues()

    var state: TestState { issues.state(isCanceled: isCanceled) ?? (hasEnded ? .passed : .notRun) }
  }

  let eventID: String
  var displayName: String?
  var tags: [String] = []
  var location: SourceLocation?
  var isParameterized = false
  var started: Double?
  var ended: Double?
  /// In seconds since 1970.
  var endTime: Double?
  var hasStarted = false
  var hasEnded = false
  /// Whether the library reported the test as failed when it ended.
  var endedAsFailed = false
  var isSkipped = false
  var isCanceled = false
  var reason: String?
  var issues = SwiftTestingIssues()
  var warnings = KeptFailures()
  var attachments: [TestAttachment] = []
  var bugs: [TestBug] = []
  var timeLimit: Double?
  private(set) var cases: [Case] = []
  private var positions: [String: Int] = [:]
  /// The positions of the cases in the order of the arguments, by their keys.
  private var declared: [String: Int] = [:]
  /// Whether an issue did not say which case it belongs to, or may have been lost.
  var hasIssueOutsideCases = false
  var transcript: Transcript
  private let mostCases: Int
  /// The number of cases that started and are not kept.
  private var casesLeftOut = 0

  init(eventID: String, bounds: Bounds) {
    self.eventID = eventID
    transcript = Transcript(bounds)
    mostCases = bounds.cases
  }

  var isOpen: Bool { hasStarted && !hasEnded }

  /// Sets the order of the arguments; the cases themselves start in any order.
  mutating func declare(cases keys: [String]) {
    declared = Dictionary(zip(keys.prefix(mostCases), 0...), uniquingKeysWith: { first, _ in first })
  }

  /// The cases in the order of the arguments, followed by undescribed ones in the order in which they started.
  private var orderedCases: [Case] {
    let places = cases.map { declared[$0.key] ?? Int.max }
    return cases.indices.sorted { (places[$0], $0) < (places[$1], $1) }.map { cases[$0] }
  }

  /// Returns the failures in the order of the given cases, which fail in any order, and then those of no case: the first
  /// failure is one of the first red case.
  private func failures(in cases: [Case]) -> [TestFailure] {
    let places = Dictionary(
      cases.enumerated().flatMap { offset, one in one.issues.failures.all.map { ($0, offset) } },
      uniquingKeysWith: { first, _ in first })
    let all = issues.failures.all
    let ranks = all.map { places[$0] ?? Int.max }
    return all.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { all[$0] }
  }

  /// Adds a case, unless there is one with this key. Cases beyond the limit are only counted.
  mutating func addCase(key: String?, display: String) -> Bool {
    let key = key ?? "case \(cases.count)"
    guard positions[key] == nil else { return false }
    guard cases.count < mostCases else {
      casesLeftOut += 1
      return true
    }
    positions[key] = cases.count
    cases.append(Case(key: key, display: display))
    return true
  }

  /// Changes the case with a key or, without a key, the only open one; returns whether there is such a case.
  mutating func changeCase(_ key: String?, _ change: (inout Case) -> Void) -> Bool {
    guard let position = key.map({ positions[$0] }) ?? onlyOpenCase else { return false }
    change(&cases[position])
    return true
  }

  private var onlyOpenCase: Int? {
    let open = cases.indices.filter { !cases[$0].hasEnded }
    return open.count == 1 ? open.first : nil
  }

  var state: TestState {
    let isCanceled = isCanceled || cases.contains(where: \.isCanceled)
    if isOpen { return .notRun }
    if let state = issues.state(isCanceled: isCanceled) { return state }
    if hasEnded { return .passed }
    return isSkipped ? .skipped : .notRun
  }

  /// From when to when it ran; nil if that is not known.
  var span: SharedProcessors.Span? {
    guard let started, let ended, (ended - started).isDuration else { return nil }
    return SharedProcessors.Span(start: started, end: max(ended, started))
  }

  private var duration: Double { span.map { $0.end - $0.start } ?? 0 }

  /// - Parameter suiteName: the name that its author gave the suite around it.
  func result(id: TestID, suiteName: String?) -> TestResult {
    let state = state
    let known = cases.isEmpty || hasIssueOutsideCases ? nil : orderedCases
    var result = TestResult(
      id: id, library: .swiftTesting, state: state, duration: duration, displayName: displayName, tags: tags,
      location: location, failures: failures(in: known ?? []), knownIssues: issues.known.all,
      skipReason: state == .skipped || state == .canceled ? reason : nil,
      arguments: known?.map {
        TestArgument(display: $0.display, state: $0.state, failures: $0.issues.failures.all)
      },
      transcript: transcript.lines)
    result.suiteName = suiteName
    result.warnings = warnings.all
    result.leftOut = LeftOutCounts(
      failures: issues.failures.leftOut, knownIssues: issues.known.leftOut, warnings: warnings.leftOut,
      cases: casesLeftOut)
    result.attachments = attachments
    result.bugs = bugs
    result.timeLimit = timeLimit
    return result
  }
}
