package import Model
import Syntax

/// The counters of the test sources, which show which XCTest assertions were evaluated.
///
/// A test is reported as lacking assertions only if that is certain: it ran, none of the assertions written in it did,
/// and nothing else in it could make it fail: no name of code in the test sources and their helpers that asserts, no
/// `try`, no waiting, and no word that suggests checking, behind which a library's assertion may hide.
package struct AssertionCounters {
  /// The test sources, by their paths.
  private let sources: [String: CountedTestSource]
  /// The functions of other sources that import a testing library, which all tests may call.
  private let helpers: [TestFunctions.Function]

  /// - Parameters:
  ///   - source: reads a source of the package, given its path.
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
    helpers = export.files.flatMap { file -> [TestFunctions.Function] in
      guard case .counted(let path, _) = selection.role(of: file.name), path.hasSuffix(".swift"),
        let bytes = source(path), bytes.holds("import XCTest") || bytes.holds("import Testing")
      else { return [] }
      return TestFunctions(bytes)?.functions ?? []
    }
  }

  /// Returns what the counters prove about the given tests; only tests with a location can be judged.
  package func report(on tests: [TestResult]) -> AssertionReport {
    var report = AssertionReport()
    let asserting = Dictionary(grouping: sources.values, by: \.target).mapValues { sources in
      Self.assertingNames(sources.flatMap(\.functions) + helpers)
    }
    for test in tests where test.state == .passed && test.alone == nil {
      guard let location = test.location, let source = sources[location.file],
        let function = source.function(named: test.id.name.functionName, near: location.line)
      else {
        if test.library == .xctest { report.unproved += 1 }
        continue
      }
      // A test with parameters may have been given no arguments.
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

  /// Returns the names of those functions that assert, directly or through each other.
  private static func assertingNames(_ functions: [TestFunctions.Function]) -> Set<String> {
    var names = Set(functions.filter(\.asserts).map(\.name))
    names.grow { names in
      functions.filter { !names.contains($0.name) && !names.isDisjoint(with: $0.words) }.map(\.name)
    }
    return names
  }
}
