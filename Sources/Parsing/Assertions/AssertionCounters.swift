package import Model

/// Tells from the counters of the test sources which assertions of XCTest were evaluated.
///
/// A test counts as one without an assertion only when that is certain: it ran, every assertion that is written in it
/// never did, and nothing else in it could fail it: no call of a function of the test sources that asserts, no `try`, no
/// waiting, and no word that sounds like checking, behind which a library's assertion may stand.
package struct AssertionCounters {
  /// By path.
  private let sources: [String: CountedTestSource]

  /// - Parameters:
  ///   - source: reads a source of the package by its path.
  package init(_ export: CoverageExport, _ selection: SourceSelection, source: (String) -> [UInt8]?) {
    let functions = FunctionsByFile(export)
    let read = export.files.compactMap { file -> (String, CountedTestSource)? in
      guard case .test(let path, let target) = selection.role(of: file.name), let bytes = source(path),
        let read = TestFunctions(bytes)
      else { return nil }
      let counted = CountedTestSource(target: target, read, bytes, counts: functions.united(in: file.name))
      return (path, counted)
    }
    sources = Dictionary(read) { first, _ in first }
  }

  /// What the counters say about these tests, which need their places.
  package func report(on tests: [TestResult]) -> AssertionReport {
    var report = AssertionReport()
    let asserting = Dictionary(grouping: sources.values, by: \.target).mapValues(Self.assertingNames)
    for test in tests where test.state == .passed && test.alone == nil {
      guard let location = test.location, let source = sources[location.file] else {
        if test.library == .xctest { report.unproved += 1 }
        continue
      }
      let name = test.id.name.prefix { $0 != "(" }.filter { $0 != "`" }
      guard let function = source.function(named: String(name), near: location.line) else {
        if test.library == .xctest { report.unproved += 1 }
        continue
      }
      // Who takes arguments may have been given none.
      if source.count(of: function.body) == 0, test.id.name.hasSuffix("()") || test.library == .xctest {
        report.uncalled.append(test.id)
      }
      if function.isTemplate {
        report.templates.append(test.id)
        continue
      }
      guard test.library == .xctest else { continue }
      let place = Place(test: test.id, file: location.file)
      judge(place, function, in: source, asserting: asserting[source.target] ?? [], &report)
    }
    return report
  }

  private struct Place {
    var test: TestID
    var file: String
  }

  private func judge(
    _ place: Place, _ function: TestFunctions.Function, in source: CountedTestSource, asserting: Set<String>,
    _ report: inout AssertionReport
  ) {
    guard source.count(of: function.body) ?? 0 > 0 else { return report.unproved += 1 }
    let counts = function.assertions.map { (line: $0.line, count: source.closureCount(in: $0.arguments)) }
    for assertion in counts where assertion.count == 0 {
      report.unreached.append(
        AssertionReport.Unreached(
          test: place.test, location: SourceLocation(file: place.file, line: assertion.line)))
    }
    if counts.contains(where: { $0.count ?? 0 > 0 }) { return report.proved += 1 }
    let isCertain = counts.allSatisfy { $0.count == 0 } && !function.mayFailOtherwise(asserting)
    if isCertain, !TestFunctions.Function.hasFixture(asserting) {
      report.without.append(place.test)
    } else {
      report.unproved += 1
    }
  }

  /// The names of the functions of a target's test sources that assert, by themselves or by way of each other.
  private static func assertingNames(_ sources: [CountedTestSource]) -> Set<String> {
    let functions = sources.flatMap(\.functions)
    var names = Set(functions.filter(\.asserts).map(\.name))
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for function in functions where !names.contains(function.name) && !names.isDisjoint(with: function.words) {
        names.insert(function.name)
        isGrowing = true
      }
    }
    return names
  }
}
