import Model

/// What is said in a source of its functions that ran and that nothing checks.
package struct MutantRemarks: Sendable {
  /// By the line on which the body begins.
  private let byLine: [Int: [String]]

  /// Of a file of which nothing is said.
  package init() { byLine = [:] }

  init(of path: String, in report: MutationReport?) {
    let functions = (report?.unchecked ?? []).filter { $0.path == path }
    byLine = Dictionary(grouping: functions, by: \.start.line).mapValues {
      $0.map { MutantWords.sentence($0.unnoticed ?? [], tests: $0.tests) }
    }
  }

  /// The lines that something is said about.
  var lines: some Collection<Int> { byLine.keys }

  func sentences(ofLine line: Int) -> [String] { byLine[line] ?? [] }

  /// An upper bound of the bytes that it takes on a page.
  var weight: Int { byLine.values.joined().reduce(0) { $0 + $1.utf8.count + 60 } }
}
