import Model

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
    hash.combine(byLine.count)
    for (line, sentences) in byLine.sorted(by: { $0.key < $1.key }) {
      hash.combine(line)
      hash.combine(sentences.count)
      for sentence in sentences { hash.combine(sentence) }
    }
  }

  func sentences(ofLine line: Int) -> [String] { byLine[line] ?? [] }

  /// An upper bound for the bytes that the remarks take on a page.
  var weight: Int { byLine.values.joined().reduce(0) { $0 + $1.utf8.count + 60 } }
}
