package import Model

/// Tells from the counters of the test sources which assertions of XCTest were evaluated.
///
/// A test counts as one without an assertion only when that is certain: it ran, every assertion that is written in it
/// never did, and nothing else in it could fail it: no call of a function of the test sources that asserts, no `try`, no
/// waiting, and no word that sounds like checking, behind which a library's assertion may stand.
package struct AssertionCounters {
  private let export: CoverageExport
  private let sources: [Source]

  /// One test source with its counters.
  fileprivate struct Source {
    var path: String
    var target: String
    var read: TestFunctions
    /// Where the lines begin, in bytes.
    var lineStarts: [Int]
    var functions: [FunctionCode]
  }

  /// - Parameters:
  ///   - source: reads a source of the package by its path.
  package init(_ export: CoverageExport, _ selection: SourceSelection, source: (String) -> [UInt8]?) {
    self.export = export
    let functions = FunctionsByFile(export)
    sources = export.files.compactMap { file in
      guard case .test(let path, let target) = selection.role(of: file.name), let bytes = source(path),
        let read = TestFunctions(bytes)
      else { return nil }
      return Source(
        path: path, target: target, read: read, lineStarts: Self.lineStarts(of: bytes),
        functions: functions.united(in: file.name))
    }
  }

  /// What the counters say about these tests, which need their places.
  package func report(on tests: [TestResult]) -> AssertionReport {
    var report = AssertionReport()
    let asserting = Dictionary(grouping: sources, by: \.target).mapValues(Self.assertingNames)
    for test in tests where test.state == .passed && test.alone == nil {
      guard let location = test.location, let source = sources.first(where: { $0.path == location.file }) else {
        if test.library == .xctest { report.unproved += 1 }
        continue
      }
      let name = test.id.name.prefix { $0 != "(" }.filter { $0 != "`" }
      guard let function = source.read.functions.first(where: { $0.isNamed(String(name), near: location.line) }) else {
        if test.library == .xctest { report.unproved += 1 }
        continue
      }
      if function.isTemplate {
        report.templates.append(test.id)
        continue
      }
      guard test.library == .xctest else { continue }
      judge(test.id, function, in: source, asserting: asserting[source.target] ?? [], &report)
    }
    return report
  }

  private func judge(
    _ test: TestID, _ function: TestFunctions.Function, in source: Source, asserting: Set<String>,
    _ report: inout AssertionReport
  ) {
    guard source.count(of: function.body) ?? 0 > 0 else { return report.unproved += 1 }
    let counts = function.assertions.map { (line: $0.line, count: source.closureCount(in: $0.arguments)) }
    for assertion in counts where assertion.count == 0 {
      report.unreached.append(
        AssertionReport.Unreached(test: test, location: SourceLocation(file: source.path, line: assertion.line)))
    }
    if counts.contains(where: { $0.count ?? 0 > 0 }) { return report.proved += 1 }
    let isCertain = counts.allSatisfy { $0.count == 0 } && !function.mayFailOtherwise(asserting)
    if isCertain, !asserting.contains(where: TestFunctions.Function.isFixture) {
      report.without.append(test)
    } else {
      report.unproved += 1
    }
  }

  /// The names of the functions of a target's test sources that assert, by themselves or by way of each other.
  private static func assertingNames(_ sources: [Source]) -> Set<String> {
    let functions = sources.flatMap(\.read.functions).filter { !$0.isTest }
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

  private static func lineStarts(of bytes: [UInt8]) -> [Int] {
    [0] + bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }
}

extension AssertionCounters.Source {
  private func offset(of position: SourcePosition) -> Int? {
    lineStarts.indices.contains(position.line - 1) ? lineStarts[position.line - 1] + position.column - 1 : nil
  }

  /// How often the function with this body was called; nil when it was not compiled.
  fileprivate func count(of body: Range<Int>) -> UInt64? {
    functions.first { function in
      function.regions.first.flatMap { offset(of: $0.start) } == body.lowerBound
    }?.count
  }

  /// The highest count of the autoclosures that begin in a stretch; nil when there is none.
  fileprivate func closureCount(in stretch: Range<Int>) -> UInt64? {
    functions.filter { function in
      function.isAutoclosure && function.regions.first.flatMap { offset(of: $0.start) }.map(stretch.contains) ?? false
    }.map(\.count).max()
  }
}

extension FunctionCode {
  /// Whether the compiler made it of an argument: its name ends with `fu`, a number and an underscore.
  ///
  /// https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst
  fileprivate var isAutoclosure: Bool {
    guard symbol.hasSuffix("_") else { return false }
    let name = symbol.dropLast()
    return name.prefix(upTo: name.lastIndex { !$0.isNumber }.map { name.index(after: $0) } ?? name.endIndex)
      .hasSuffix("fu")
  }
}
