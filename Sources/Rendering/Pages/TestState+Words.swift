import Model

extension TestState {
  /// The word for the state on pages, capitalised.
  var word: String {
    switch self {
    case .crashed: "Crashed"
    case .timedOut: "Timed out"
    case .canceled: "Canceled"
    case .failed: "Failed"
    case .expectedFailure: "Known issue"
    case .skipped: "Skipped"
    case .passed: "Passed"
    case .notRun: "Not run"
    }
  }

  /// The name of the glyph in the sprite, and of its colour.
  var glyph: String {
    switch self {
    case .crashed: "crashed"
    case .timedOut: "timed-out"
    case .canceled: "canceled"
    case .failed: "failed"
    case .expectedFailure: "known"
    case .skipped: "skipped"
    case .passed: "passed"
    case .notRun: "not-run"
    }
  }

  /// The rank on a page: red first, then undecided, then passed.
  var rank: Int {
    switch self {
    case .crashed: 0
    case .timedOut: 1
    case .failed: 2
    case .notRun: 3
    case .expectedFailure: 4
    case .canceled: 5
    case .skipped: 6
    case .passed: 7
    }
  }
}

extension TestArgument {
  /// Whether it passed only in a later attempt.
  var isFlaky: Bool { state == .passed && !failures.isEmpty }

  /// Whether it passed and there is nothing more to tell of it.
  var isPlain: Bool { state == .passed && failures.isEmpty }

  /// Returns how many cases ended as it did, such as `6 more failed cases` and `391 passed cases`.
  func counted(_ count: Int, areMore: Bool) -> String {
    let word = isFlaky ? "flaky" : state.word.lowercased().replacing(" ", with: "-")
    return CountText.counted(count, "\(areMore ? "more " : "")\(word) case")
  }
}

extension TestResult {
  /// The rank on a page; what passed only on retry comes before what is as it should be.
  var rank: Int { state == .passed && isFlaky ? 2 * TestState.notRun.rank + 1 : 2 * state.rank }

  /// The word for a test that ended its process as if all were well.
  static let quitWord = "Quit"

  /// The name of its glyph in the sprite, and of its colour.
  static let quitGlyph = "incomplete"

  /// The word for how it ended, capitalised.
  var endWord: String { quit?.isByTest == true ? Self.quitWord : state.word }

  /// Whether it is red, or ended its process as if all were well.
  var endsBadly: Bool { state.isRed || quit != nil }

  var stateWord: String {
    [endWord, isFlaky ? "flaky" : nil, alone == nil ? nil : "order-dependent"].compactMap {
      $0
    }
    .joined(separator: ", ")
  }

  var glyph: String {
    if quit != nil { return Self.quitGlyph }
    guard state == .passed else { return state.glyph }
    return isFlaky ? "flaky" : alone != nil || !warnings.isEmpty ? "warning" : state.glyph
  }

  /// The failure that its rows tell: its own first one, or that of its first case that has one.
  var firstFailure: TestFailure? { failures.first ?? arguments?.lazy.flatMap(\.failures).first }

  /// Returns the red case that a failure is about: the first that recorded it, otherwise the only one that ended as the test
  /// did; nil if that is not known.
  func redCase(with failure: TestFailure?) -> TestArgument? {
    let red = (arguments ?? []).filter(\.state.isRed)
    if let failure, let own = red.first(where: { $0.failures.contains(failure) }) { return own }
    let alike = red.filter { $0.state == state }
    return alike.count == 1 ? alike[0] : nil
  }

  /// Returns the arguments of that case in a sentence.
  func caseName(with failure: TestFailure?) -> String? {
    redCase(with: failure).map { TestHeadline.arguments(String($0.display.prefix(120)), of: id) }
  }

  private var allCases: String? {
    guard let arguments, isParameterised else { return nil }
    return CountText.counted(arguments.count + (leftOut?.cases ?? 0), "case")
  }

  /// How many of its cases are red, such as `1 of 3 cases`; nil for a test that is not parameterised.
  var redCases: String? {
    allCases.map { "\(CountText.plain((arguments ?? []).count(where: \.state.isRed))) of \($0)" }
  }

  /// The same as `1 of 3 cases red`, or without a red one as `3 cases`.
  var caseCount: String? {
    arguments?.contains(where: \.state.isRed) == true ? redCases.map { "\($0) red" } : allCases
  }

  /// How it ended its process, if it did, followed by its failures.
  var badEnds: [TestFailure] {
    let quit = quit.map { TestFailure(location: $0.location, message: $0.words.capitalizedFirst) }
    return [quit].compactMap(\.self) + failures
  }

  /// The displayed name as part of a sentence: that of the function, or the author's words in quotation marks.
  var quotedTitle: String { displayName == nil ? title : "“\(title)”" }

  /// The displayed name of the test, truncated if very long.
  var title: String { Self.title(displayName ?? id.name) }

  fileprivate static func title(_ name: String) -> String {
    name.count > 300 ? String(name.prefix(280)) + " …" : name
  }
}

extension [TestResult] {
  /// Returns the tests of a class that did not begin because the process ended before its first one; empty for any test
  /// but that one.
  func kept(fromBeginningWith test: TestResult) -> [TestResult] {
    guard test.quit?.isByTest == false else { return [] }
    return filter {
      $0.state == .notRun && $0.quit == nil && $0.id.module == test.id.module && $0.id.suite == test.id.suite
    }
  }

  /// Returns the other test that did not begin for the same reason, or how many there are; nil for none.
  func unbegun(with test: TestResult) -> String? {
    let others = kept(fromBeginningWith: test)
    guard let other = others.first else { return nil }
    return others.count == 1 ? other.quotedTitle : "\(CountText.plain(others.count)) more tests of its class"
  }

  /// The tests that did not begin because the process ended before the first one of their class, each with that one.
  var keptFromBeginning: [TestID: TestResult] {
    let pairs = flatMap { first in kept(fromBeginningWith: first).map { ($0.id, first) } }
    return Dictionary(pairs) { first, _ in first }
  }
}

extension TestVerdicts.Verdict {
  /// The word for how it ended, capitalised.
  var endWord: String { isQuit ? TestResult.quitWord : state.word }

  /// What stands for how it ended in lists of its past; what passed only on retry is flaky, and what did not run stands as on
  /// the page of a test that something kept from beginning.
  var glyph: String {
    isQuit || state == .notRun ? TestResult.quitGlyph : isFlaky && state.isGood ? "flaky" : state.glyph
  }
}

extension Issue {
  /// The displayed name of its test when that was last red; nil without a test.
  var testTitle: String? { test.map { TestResult.title(displayName ?? $0.name) } }
}
