import Model

/// What is known of a source besides its text and its coverage.
struct SourceRemarks: Sendable {
  /// The bytes of a bubble apart from its words.
  private static let bubbleWeight = 120

  /// The messages shown below a line, by line number.
  var bubbles: [Int: [SafeHTML]] = [:]
  /// How the tests ended that are declared there, by line number.
  var verdicts: [Int: [SafeHTML]] = [:]
  /// The lines that other pages link to.
  var targets: Set<Int> = []
  var marks = ChangeMarks()
  var history = SourceHistory()
  /// The tests that ran its lines.
  var tests = SourceTests()
  /// Remarks on its functions and conditions that no test checks.
  var mutants = MutantRemarks()

  /// The bytes that they add to lines.
  var weights: [Int: Int] {
    var weights = history.weights
    for (line, messages) in Array(bubbles) + Array(verdicts) {
      weights[line, default: 0] += messages.reduce(0) { $0 + $1.bytes.count + Self.bubbleWeight }
    }
    for line in marks.lines { weights[line, default: 0] += marks.weight(of: line) }
    return weights
  }

  /// Whether a row begins at a line because of them, so that a link can lead to it.
  func beginsRow(at line: Int) -> Bool {
    targets.contains(line) || [line, line - 1].contains { bubbles[$0] != nil || verdicts[$0] != nil }
  }

  /// The lines at which a row of the listing begins because of them, unordered.
  var breaks: [Int] {
    Array(targets) + marks.breaks + history.breaks + tests.breaks
      + (Array(bubbles.keys) + verdicts.keys + mutants.lines).flatMap { [$0, $0 &+ 1] }
  }
}

/// Remarks in a source on functions and conditions that ran but that no test checks.
struct MutantRemarks: Sendable {
  /// By the line on which the body, or the condition, begins.
  private let byLine: [Int: [String]]

  /// For a file without remarks.
  init() { byLine = [:] }

  init(of path: String, in report: MutationReport?) {
    let unchecked = ((report?.unchecked ?? []) + (report?.uncheckedConditions ?? [])).filter { $0.path == path }
    byLine = Dictionary(grouping: unchecked, by: \.start.line).mapValues { $0.map(MutantWords.sentence) }
  }

  var lines: some Collection<Int> { byLine.keys }

  func combine(into hash: inout PageHash) {
    hash.combine(byLine: byLine) { $1.combine($0) }
  }

  func sentences(ofLine line: Int) -> [String] { byLine[line] ?? [] }

  /// An upper bound for the bytes that the remarks take on a page.
  var weight: Int { byLine.values.joined().reduce(0) { $0 + $1.utf8.count + 60 } }
}
