/// How every listed test of one integration ended, in as few words as its history needs.
package struct TestVerdicts: Hashable, Sendable {
  /// How one test ended.
  package struct Verdict: Hashable, Sendable {
    package var state: TestState
    /// Milliseconds.
    package var duration: Int
    package var isFlaky: Bool

    package init(state: TestState, duration: Int, isFlaky: Bool) {
      self.state = state
      self.duration = duration
      self.isFlaky = isFlaky
    }
  }

  package var number: Int
  package var commit: CommitID
  package var branch: String?
  package var toolchain: String
  package var verdicts: [TestID: Verdict]
  /// What the tests measured; only those that did.
  package var measured: [TestID: [MeasuredFigure]] = [:]
  /// What a measured figure depends on beside commit and toolchain; nil where that is not known.
  package var circumstances: [Circumstance]?

  package init(
    number: Int, commit: CommitID, branch: String?, toolchain: String, verdicts: [TestID: Verdict]
  ) {
    self.number = number
    self.commit = commit
    self.branch = branch
    self.toolchain = toolchain
    self.verdicts = verdicts
  }
}

extension TestVerdicts {
  package init(_ integration: Integration) {
    self.init(
      number: integration.number, commit: integration.commit.id, branch: integration.branch,
      toolchain: integration.toolchain,
      verdicts: Dictionary(
        integration.tests.results.map { ($0.id, Verdict($0)) }, uniquingKeysWith: { first, _ in first }))
    for test in integration.tests.results where !test.measurements.isEmpty { note(test.measurements, of: test.id) }
    circumstances = Circumstance.ofMeasuring(
      configuration: integration.configuration, sandbox: integration.sandbox, integration.circumstances)
  }

  /// The verdicts of an integration of which only the summary document is left.
  package init(_ document: IntegrationRecord) {
    let verdicts = document.tests.cases.map { test in
      (test.id, Verdict(state: test.state, seconds: test.duration, isFlaky: test.flaky == true))
    }
    self.init(
      number: document.number, commit: document.commit.id, branch: document.branch, toolchain: document.toolchain,
      verdicts: Dictionary(verdicts, uniquingKeysWith: { first, _ in first }))
    for test in document.tests.cases { test.measurements.map { note($0, of: test.id) } }
    circumstances = Circumstance.ofMeasuring(
      configuration: document.configuration, sandbox: document.sandbox, document.circumstances ?? [])
  }

  private mutating func note(_ measurements: [TestMeasurement], of test: TestID) {
    let figures = MeasuredFigure.all(of: measurements)
    if !figures.isEmpty, measured[test] == nil { measured[test] = figures }
  }
}

extension Circumstance {
  /// What a measured figure may depend on: the choice of tests and how they are repeated are left out. Nil where nothing
  /// of it was noted, as before circumstances were.
  fileprivate static func ofMeasuring(
    configuration: String, sandbox: String, _ others: [Circumstance]
  ) -> [Circumstance]? {
    guard !others.isEmpty else { return nil }
    return [Circumstance("configuration", configuration), Circumstance("sandbox", sandbox)]
      + others.filter { !$0.name.hasPrefix("tests.") && $0.name != "coverage.exclude" }
      // Whoever decided it, its value is what counts.
      .map { Circumstance($0.name, $0.value) }
  }
}

extension TestVerdicts.Verdict {
  fileprivate init(_ result: TestResult) {
    self.init(state: result.state, seconds: result.duration, isFlaky: result.isFlaky)
  }

  fileprivate init(state: TestState, seconds: Double, isFlaky: Bool) {
    let milliseconds = seconds.isFinite ? min(max(seconds * 1000, 0), 1e12) : 0
    self.init(state: state, duration: Int(milliseconds.rounded()), isFlaky: isFlaky)
  }
}

extension TestVerdicts {
  /// The first word of the text form.
  private static let format = "martlet.verdicts/1"

  private static let letters: [(TestState, Character)] = [
    (.crashed, "c"), (.timedOut, "h"), (.canceled, "x"), (.failed, "f"), (.expectedFailure, "k"), (.skipped, "s"),
    (.passed, "p"), (.notRun, "n"),
  ]

  /// The text form: a line about the integration, one with the branch, one with the toolchain, and one for each test:
  /// a letter for the state (a capital for a flaky test), the milliseconds and the test's name. Sorted by name.
  ///
  /// Then what was measured depends on, a line `@ name⇥value` each, and one for each figure:
  /// `m average⇥deviation⇥repetitions⇥metric⇥unit⇥test`. A Martlet that knows neither passes over them.
  package var text: String {
    var text = "\(Self.format) \(number) \(commit)\n\(Self.line(branch ?? ""))\n\(Self.line(toolchain))\n"
    for (test, verdict) in verdicts.sorted(by: { $0.key < $1.key }) {
      let name = test.description
      // No compiler takes such a name; what printed it lies.
      guard !name.contains(where: \.isNewline), let letter = Self.letters.first(where: { $0.0 == verdict.state })?.1
      else { continue }
      text += "\(verdict.isFlaky ? letter.uppercased() : String(letter)) \(verdict.duration) \(name)\n"
    }
    for one in circumstances ?? [] { text += "@ \(Self.field(one.name))\t\(Self.field(one.value))\n" }
    for (test, figures) in measured.sorted(by: { $0.key < $1.key }) {
      guard !test.description.contains(where: \.isNewline) else { continue }
      for figure in figures {
        let numbers = "\(figure.average)\t\(figure.deviation)\t\(figure.repetitions)"
        text += "m \(numbers)\t\(Self.field(figure.metric))\t\(Self.field(figure.unit))\t\(test)\n"
      }
    }
    return text
  }

  /// Reads the text form; nil for anything else, and lines that cannot be read are passed over.
  package init?(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 3 else { return nil }
    let head = lines[0].split(separator: " ")
    guard head.count == 3, head[0] == Self.format, let number = Int(head[1]) else { return nil }
    self.init(
      number: number, commit: CommitID(rawValue: String(head[2])), branch: lines[1].isEmpty ? nil : String(lines[1]),
      toolchain: String(lines[2]), verdicts: [:])
    for line in lines.dropFirst(3) {
      switch line.prefix(2) {
      case "@ ": readCircumstance(line.dropFirst(2))
      case "m ": readFigure(line.dropFirst(2))
      default: readVerdict(line)
      }
    }
  }

  private mutating func readVerdict(_ line: Substring) {
    let fields = line.split(separator: " ", maxSplits: 2)
    guard fields.count == 3, fields[0].count == 1, let letter = fields[0].first, let duration = Int(fields[1]),
      let test = TestID(fields[2]), let state = Self.letters.first(where: { "\($0.1)" == letter.lowercased() })?.0
    else { return }
    verdicts[test] = Verdict(state: state, duration: duration, isFlaky: letter.isUppercase)
  }

  private mutating func readCircumstance(_ line: Substring) {
    guard let tab = line.firstIndex(of: "\t") else { return }
    circumstances =
      (circumstances ?? []) + [
        Circumstance(String(line[..<tab]), String(line[line.index(after: tab)...]))
      ]
  }

  private mutating func readFigure(_ line: Substring) {
    let fields = line.split(separator: "\t", maxSplits: 5, omittingEmptySubsequences: false)
    guard fields.count == 6, let average = Double(fields[0]), average.isFinite, average >= 0,
      let deviation = Double(fields[1]), deviation.isFinite, let repetitions = Int(fields[2]),
      let test = TestID(fields[5])
    else { return }
    measured[test, default: []].append(
      MeasuredFigure(
        metric: String(fields[3]), unit: String(fields[4]), average: average, deviation: deviation,
        repetitions: repetitions))
  }

  private static func line(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

  private static func field(_ text: String) -> String { String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }) }
}
