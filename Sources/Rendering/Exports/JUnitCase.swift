import Model

/// One `testcase` element: a test, or one case of a parameterised test.
struct JUnitCase {
  /// The result in the element; no child element means passed.
  enum Verdict {
    case passed
    case skipped(reason: String)
    /// What readers count as a failure of the run.
    case bad(Element, type: String, message: String, body: String)

    /// The name of the child element.
    enum Element: String {
      case failure, error
    }
  }

  /// Whether it is of a test, rather than of all that a destination or an integration did.
  let isOfTest: Bool
  var className: String
  var name: String
  /// In seconds; nil if it was not measured, as for a single case of a parameterised test.
  var time: Double?
  var file: String?
  var line: Int?
  var properties: [(name: String, value: String)] = []
  var verdict: Verdict
  /// The attempts that did not pass, except the one reported as the verdict.
  var badAttempts: [(number: Int, attempt: TestAttempt)] = []
  /// Notes for people, written to `system-out`.
  var notes: [String] = []
  /// The paths listed below the notes.
  var attachments: [String] = []

  /// Returns the elements of one listed test.
  ///
  /// A parameterised test has one for each of its cases; an additional one for the test itself follows if the cases do
  /// not account for its state or for all of its failures, as after a crash, and for the failed attempts of a flaky one.
  ///
  /// - Parameter silences: a silenced issue for each red test that does not count.
  static func all(
    of test: IntegrationRecord.Case, in document: IntegrationRecord,
    silences: [TestID: IntegrationRecord.FlatIssue]
  ) -> [JUnitCase] {
    let silence = silences[test.id]
    guard let arguments = test.arguments, !arguments.isEmpty else {
      return [JUnitCase(test, in: document).silenced(by: silence)]
    }
    var used: [String: Int] = [:]
    var cases = arguments.map { argument in
      let name = "\(test.id.name) [\(argument.display)]"
      let number = used[name, default: 0] + 1
      used[name] = number
      return JUnitCase(argument, of: test, name: number == 1 ? name : "\(name) #\(number)", in: document)
    }
    let told = Set(arguments.flatMap(\.failures))
    let untold = test.failures.filter { !told.contains($0) }
    if !untold.isEmpty || test.flaky == true || !arguments.contains(where: { $0.state == test.state }) {
      var rest = test
      rest.failures = untold
      cases.append(JUnitCase(rest, in: document))
    }
    return cases.map { $0.silenced(by: silence) }
  }

  /// Returns the case for a test that does not count: skipped, with its failures among the notes, so that no reader of
  /// the file shows a green integration as red.
  private func silenced(by issue: IntegrationRecord.FlatIssue?) -> JUnitCase {
    guard let issue, verdict.isBad else { return self }
    let words = issue.silence.map(IssueWords.sentence) ?? "silenced"
    var calm = skipped(because: "The test is red, and \(words)", "Silenced")
    calm.properties.append(("silenced", "true"))
    return calm
  }

  /// The same for a case of a destination that is not required.
  var informing: JUnitCase {
    guard verdict.isBad else { return self }
    let what = isOfTest ? "The test is red, and its destination is" : "The destination is"
    return skipped(because: "\(what) not required", "Not required")
  }

  /// - Parameter word: what is said before each note of what failed.
  private func skipped(because reason: String, _ word: String) -> JUnitCase {
    var calm = self
    calm.verdict = .skipped(reason: reason)
    if case .bad(_, let type, let message, let body) = verdict {
      calm.notes.insert("\(word): \(type): \(body.isEmpty ? message : body)", at: 0)
    }
    calm.notes += badAttempts.map { number, attempt in
      "\(word): attempt \(number): \(attempt.state.rawValue)\(attempt.message.map { ": \($0)" } ?? "")"
    }
    calm.badAttempts = []
    return calm
  }

  init(className: String, name: String, verdict: Verdict, isOfTest: Bool = true) {
    self.isOfTest = isOfTest
    self.className = className
    self.name = name
    self.verdict = verdict
  }

  private init(_ test: IntegrationRecord.Case, in document: IntegrationRecord) {
    self.init(
      className: Self.className(of: test.id), name: test.id.name,
      verdict: Self.verdict(test.state, test.failures, reason: test.skipReason, in: document))
    if let quit = test.quit {
      let place = document.placeText(quit.location?.file, quit.location?.line).map { "\($0): " } ?? ""
      verdict = .bad(
        .error, type: "quit", message: "The test \(quit.words).", body: "\(place)\(quit.words.capitalizedFirst)")
    }
    time = test.time
    place(test, in: document)
    properties = Self.properties(of: test)
    let attempts = test.attempts ?? []
    // The gravest attempt is the result, the first of several.
    let result = verdict.isBad ? attempts.firstIndex { $0.state == test.state } : nil
    badAttempts = attempts.enumerated().filter { $0.offset != result && $0.element.state != .passed }
      .map { ($0.offset + 1, $0.element) }
    notes = (test.knownIssues ?? []).map { "Known issue: \(Self.told($0, in: document))" }
    if test.state == .expectedFailure, notes.isEmpty { notes = ["The test failed as expected: a known issue."] }
    notes += (test.warnings ?? []).map { "Warning: \(Self.told($0, in: document))" }
    attachments = test.attachments ?? []
  }

  private init(
    _ argument: IntegrationRecord.Argument, of test: IntegrationRecord.Case, name: String,
    in document: IntegrationRecord
  ) {
    self.init(
      className: Self.className(of: test.id), name: name,
      verdict: Self.verdict(argument.state, argument.failures, reason: test.skipReason, in: document))
    place(test, in: document)
    properties = Self.properties(of: test)
    if argument.state == .expectedFailure { notes = ["The case failed as expected: a known issue."] }
  }

  /// Sets the place of the test's declaration, or of its first failure if that is unknown, as with XCTest.
  private mutating func place(_ test: IntegrationRecord.Case, in document: IntegrationRecord) {
    let failure = test.failures.first { $0.file != nil }
    file = (test.file ?? failure?.file).map(document.repositoryPath)
    line = test.file == nil ? failure?.line : test.line
  }

  /// Returns the module and the suites, joined by dots, at which readers split them.
  static func className(of id: TestID) -> String {
    id.suite.isEmpty
      ? id.module : "\(id.module).\(id.suite.split(separator: "/").joined(separator: "."))"
  }

  private static func properties(of test: IntegrationRecord.Case) -> [(name: String, value: String)] {
    var properties = [("id", test.id.description), ("library", test.library.rawValue)]
    if let name = test.displayName { properties.append(("displayName", name)) }
    for tag in test.tags ?? [] { properties.append(("tag", tag)) }
    if test.flaky == true { properties.append(("flaky", "true")) }
    return properties.map { (name: $0.0, value: $0.1) }
  }
}

extension JUnitCase {
  private static func verdict(
    _ state: TestState, _ failures: [IntegrationRecord.Failure], reason: String?, in document: IntegrationRecord
  ) -> Verdict {
    let type = state.rawValue
    let (message, body) = text(failures, in: document)
    switch state {
    case .passed, .expectedFailure: return .passed
    case .skipped: return .skipped(reason: reason ?? "")
    case .failed:
      return .bad(.failure, type: type, message: message ?? "The test failed without a message.", body: body)
    case .crashed:
      return .bad(.error, type: type, message: message ?? "The process ended while this test was running.", body: body)
    case .timedOut:
      return .bad(.error, type: type, message: message ?? "The test took longer than it may.", body: body)
    case .canceled:
      // One that has failed did not cancel itself: its integration was canceled.
      return message.map { .bad(.error, type: type, message: $0, body: body) }
        ?? .skipped(reason: reason ?? "The test was canceled.")
    case .notRun: return .bad(.error, type: type, message: "The test is listed, but it did not run.", body: body)
    }
  }

  /// Returns all failures in one, because Jenkins keeps only one element per case. The first line summarises them.
  private static func text(_ failures: [IntegrationRecord.Failure], in document: IntegrationRecord)
    -> (message: String?, body: String)
  {
    guard let first = failures.first else { return (nil, "") }
    var message = String(first.message.prefix { $0 != "\n" && $0 != "\r\n" })
    if failures.count > 1 {
      message += " (and \(CountText.counted(failures.count - 1, "more failure", "more failures")))"
    }
    return (message, failures.map { told($0, in: document) }.joined(separator: "\n\n"))
  }

  private static func told(_ failure: IntegrationRecord.Failure, in document: IntegrationRecord) -> String {
    document.placeText(failure.file, failure.line).map { "\($0): \(failure.message)" } ?? failure.message
  }
}
