import Model
import Syntax

extension IntegrationRun {
  /// Returns the lines of a test itself: whoever changed what it does made it end so, whatever else changed that ran.
  func ownLines(of test: TestResult) -> [SourceLocation] {
    guard let place = test.location, let body = body(of: test) else { return [] }
    return body.lines.map { SourceLocation(file: place.file, line: $0) }
  }

  /// How many lines of a function are looked at.
  private static let mostLines = 200

  /// Returns the lines of the innermost function that contains a place, the nearest first; empty if it is not known.
  func lines(ofFunctionAt place: SourceLocation, in integration: Integration) -> [SourceLocation] {
    let file = integration.coverage.coverage?.files.first { $0.path == place.file }
    let around = file?.functions.filter { ($0.line...max($0.line, $0.lastLine)).contains(place.line) } ?? []
    guard let function = around.max(by: { $0.line < $1.line }) else { return [] }
    let lines = (function.line...max(function.line, function.lastLine)).sorted {
      (abs($0 - place.line), $0) < (abs($1 - place.line), $1)
    }
    return lines.prefix(Self.mostLines).map { SourceLocation(file: place.file, line: $0) }
  }

  /// Returns the source of a test with its lines in it; nil if that is not known.
  private func body(of test: TestResult) -> (code: SourceCode, lines: ClosedRange<Int>)? {
    guard let place = test.location, let text = text(of: place.file, at: target.commit) else { return nil }
    let code = SourceCode(text, path: place.file)
    return TestBodies(code).lines(of: test.id.name, at: place.line).map { (code, $0) }
  }

  /// Returns whether the file of a test imports one of some modules; true if that, or these, are not known.
  func isImported(_ modules: Set<String>, by test: TestID?, _ integration: Integration) -> Bool {
    guard !modules.isEmpty, let place = integration.tests.results.first(where: { $0.id == test })?.location,
      let text = text(of: place.file, at: target.commit)
    else { return true }
    let code = SourceCode(text, path: place.file)
    return code.tokens.indices.contains { index in
      guard code.isToken(index, "import"), let name = code.next(index) else { return false }
      // The kind of what is imported may stand between them.
      return [name, code.next(name)].compactMap(\.self).contains { modules.contains(code.word($0)) }
    }
  }

  /// Returns the names in the source of a test; empty if that is not known.
  func names(in test: TestID?, _ integration: Integration) -> Set<String> {
    guard let result = integration.tests.results.first(where: { $0.id == test }), let body = body(of: result) else {
      return []
    }
    return Set(body.lines.flatMap { body.code.tokens(in: body.code.range(ofLine: $0)).map(body.code.word) })
  }
}
