import Model

/// How tests ended for each destination, with the places of their pages.
struct TestDestinations: Sendable {
  private struct Way {
    var name: String
    /// The path from the top of the whole report to that of its own.
    var place: String
    var tests: [TestID: TestResult]
    var paths: ReportPaths
  }

  private let ways: [Way]

  /// Empty where there is only one way to build.
  init(_ integration: Integration) {
    let all = integration.cells.isEmpty ? [] : integration.all
    ways = all.map { cell in
      Way(
        name: cell.destination?.name ?? "", place: cell.placeOfReport, tests: cell.tests.byID,
        paths: ReportPaths(tests: cell.tests.results.map(\.id)))
    }
  }

  /// Returns how a test ended for each destination, on the page that it has for one of them; empty if it passed for all.
  ///
  /// - Parameter root: the path from the page to the top of the whole report.
  func records(of test: TestID, besides name: String?, root: String) -> [TemplateValue] {
    let known = ways.compactMap { way in way.tests[test].map { (way: way, result: $0) } }
    guard known.contains(where: { $0.result.state != .passed || $0.result.isFlaky }) else { return [] }
    return known.map { way, result in
      let hasPage = way.name != name && TestPage.isNeeded(for: result)
      return .record([
        "label": .shown(way.name), "glyph": .text(result.glyph), "word": .text(result.stateWord),
        "link": hasPage ? .text(root + way.place + way.paths.page(of: test)) : .missing,
      ])
    }
  }
}
