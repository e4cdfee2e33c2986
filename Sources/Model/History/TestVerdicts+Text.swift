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
