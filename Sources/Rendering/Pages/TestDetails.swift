import Model

/// Further details on a test's page: attachments, bug reports, and reliability.
struct TestDetails {
  private static let mostAttachments = 200

  private let test: TestResult

  init(_ test: TestResult) {
    self.test = test
  }

  /// An explanation for a different result when run alone.
  var dependence: String? {
    test.alone.map { alone in
      let message = alone.message.map { ": \(FailureLine.headline(of: $0))" } ?? "."
      return
        "\(test.state.past.capitalizedFirst) with others, \(alone.state.past) alone\(message)"
    }
  }

  /// The bug reports that the test names; only web addresses become links.
  var bugs: [TemplateValue] {
    test.bugs.prefix(20).map { bug in
      let isWeb = bug.url?.hasPrefix("https://") == true || bug.url?.hasPrefix("http://") == true
      let text = [bug.id, bug.title].compactMap { $0 }.joined(separator: " ")
      return .record([
        "text": .shown(text.isEmpty ? bug.url ?? "" : text), "link": isWeb ? .optional(bug.url) : .missing,
      ])
    }
  }

  /// The attachments: pictures are shown, other files can be downloaded.
  var attachments: TemplateValue {
    guard !test.attachments.isEmpty else { return .missing }
    let items = test.attachments.prefix(Self.mostAttachments).map { attachment in
      TemplateValue.record([
        "name": .shown(attachment.name.count > 200 ? String(attachment.name.prefix(190)) + " …" : attachment.name),
        "link": attachment.path.map { .text("../\($0)") } ?? .missing,
        "file": attachment.path.flatMap { $0.split(separator: "/").last }.map { .text(String($0)) } ?? .missing,
        "isPicture": .flag(attachment.picture != nil && attachment.path != nil),
        "size": .text(ByteText.short(attachment.byteCount)),
        "caseName": .shown(ifAny: attachment.caseName),
        "problem": .shown(ifAny: attachment.problem),
      ])
    }
    let left = test.attachments.count - items.count
    let more = left > 0 ? ", \(CountText.plain(left)) of them only in the folder" : ""
    return .record([
      "items": .list(Array(items)),
      "count": .text(CountText.counted(test.attachments.count, "file") + more),
    ])
  }
}

extension TestState {
  /// The past tense of the state, with a test as the subject.
  var past: String {
    switch self {
    case .crashed: "crashed"
    case .timedOut: "timed out"
    case .canceled: "was canceled"
    case .failed: "failed"
    case .expectedFailure: "failed as expected"
    case .skipped: "was skipped"
    case .passed: "passed"
    case .notRun: "did not run"
    }
  }
}

extension NeverRunMethod.Cause {
  /// The reason why nothing runs it.
  var sentence: String {
    switch self {
    case .isPrivate: "private; a test must be internal or more"
    case .hasParameters: "has parameters; a test has none"
    case .returnsValue: "returns a value; a test returns nothing"
    case .isStatic: "a class method; tests are instance methods"
    case .misnamed: "asserts, but nothing calls it; a test’s name begins with “test”"
    case .unmarked: "has #expect, but no “@Test”"
    }
  }
}
