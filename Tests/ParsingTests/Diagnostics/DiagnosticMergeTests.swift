import Model
import Parsing
import Testing

@Suite("Merged diagnostics")
struct DiagnosticMergeTests {
  private func warning(
    _ message: String, _ file: String? = "Sources/A/a.swift", line: Int = 1, column: Int? = 1,
    severity: Diagnostic.Severity = .warning, category: String? = nil, notes: [Diagnostic] = []
  ) -> Diagnostic {
    Diagnostic(
      severity: severity, message: message,
      location: file.map { SourceLocation(file: $0, line: line, column: column) }, category: category, notes: notes)
  }

  private func merged(
    serialized: [Diagnostic] = [], printed: [Diagnostic] = [], failed: Bool = false,
    exists: @escaping (String) -> Bool = { _ in true }
  ) -> [Diagnostic] {
    DiagnosticMerge(buildFailed: failed, exists: exists).merged(serialized: serialized, printed: printed)
  }

  @Test("What a file and the output both say is said once, with what either knows")
  func union() {
    let note = warning("here", severity: .note)
    let found = merged(
      serialized: [warning("unused", notes: [note]), warning("old")],
      printed: [warning("unused", category: "no-usage"), warning("from C")])
    #expect(found == [warning("from C"), warning("old"), warning("unused", category: "no-usage", notes: [note])])
  }

  @Test("Messages differ by place, severity or text")
  func differences() {
    let all = [
      warning("a"), warning("a", column: 2), warning("a", line: 2), warning("a", "b.swift"), warning("b"),
      warning("a", severity: .error),
    ]
    #expect(Set(merged(printed: all + all)) == Set(all))
    #expect(merged(printed: all + all).count == all.count)
  }

  @Test("What else a failed build said counts only where no error says why, and then instead of echoes")
  func reason() {
    let (reason, echo) = (warning("no", nil, severity: .error), warning("cancelled", nil, severity: .error))
    let merge = DiagnosticMerge(buildFailed: true) { _ in true }
    #expect(merge.merged(serialized: [], printed: [echo, warning("w")], reason: reason) == [reason, warning("w")])
    #expect(merge.merged(serialized: [], printed: [], reason: reason) == [reason])
    let cause = warning("wrong", severity: .error)
    #expect(merge.merged(serialized: [], printed: [echo, cause], reason: reason) == [cause])
    #expect(merge.merged(serialized: [], printed: [echo]) == [echo])
  }

  @Test("Errors come first, then file, line and column decide, and what has no place is last")
  func order() {
    let found = merged(
      printed: [
        warning("1", "b.swift"), warning("2", "a.swift", line: 10), warning("3", "a.swift", line: 9, column: 5),
        warning("4", "a.swift", line: 9, column: 3), warning("5", "c.swift", severity: .error),
        warning("6", nil, severity: .error), warning("7", nil),
      ])
    #expect(found.map(\.message) == ["5", "6", "4", "3", "2", "1", "7"])
  }

  @Test("Warnings outside the package are dropped, errors are kept")
  func outside() {
    for file in ["/usr/include/a.h", "../Dep/a.swift", "<module-includes>"] {
      #expect(merged(printed: [warning("w", file)]).isEmpty, "\(file)")
      #expect(merged(printed: [warning("e", file, severity: .error)]).count == 1, "\(file)")
    }
  }

  @Test("What SwiftPM warns of in a dependency is not the package's own")
  func otherPackages() {
    func plain(_ message: String) -> Diagnostic { Diagnostic(severity: .warning, message: message) }
    let printed = ["'dep': found 1 file(s)", "'Shop': found 2 file(s)", "'dep' is odd", "''", "ld: careless"].map(plain)
    var merge = DiagnosticMerge(buildFailed: false, identity: "shop", exists: { _ in true })
    #expect(
      Set(merge.merged(serialized: [], printed: printed).map(\.message))
        == ["'Shop': found 2 file(s)", "'dep' is odd", "''", "ld: careless"])
    merge.identity = nil
    #expect(merge.merged(serialized: [], printed: printed).count == 5)
  }

  @Test("Errors in files count only if the build failed")
  func staleErrors() {
    let error = warning("no", severity: .error)
    #expect(merged(serialized: [error]).isEmpty)
    #expect(merged(serialized: [error], failed: true) == [error])
    #expect(merged(printed: [error]) == [error])
  }

  @Test("Files about sources that are gone are stale, the output is not")
  func staleFiles() {
    let gone = warning("unused", "Sources/A/gone.swift")
    #expect(merged(serialized: [gone, warning("old")], exists: { $0 == "Sources/A/a.swift" }) == [warning("old")])
    #expect(merged(printed: [gone], exists: { _ in false }) == [gone])
  }

  @Test("An error that emitting the module and compiling both report is one")
  func emittedTwice() throws {
    let root = "/src/garden2"
    let files = try ["orchard-Core.emit-module", "orchard-Growing", "orchard-Trees"].flatMap {
      try DiagnosticFixture.serialized($0, root: root)
    }
    let printed = DiagnosticFixture.read(try DiagnosticFixture.bytes("log/errors-with-notes.log"), root: root)
    let found = merged(serialized: files, printed: printed.diagnostics, failed: true)
    #expect(found.count { $0.message == "stop here" } == 1)
    #expect(found.count { $0.severity == .error } == 16)
    #expect(found.count { $0.severity == .warning } == 3)
    let header = found.first { $0.location?.file == "Sources/CHead/include/head.h" }
    #expect(header?.category == "-Wparentheses")
    #expect(header?.notes.count == 2)
  }

  @Test("What arises in the expansion of a macro is placed where the macro stands")
  func expansions() throws {
    let root = "/src/diag/set/Mac"
    let files = try DiagnosticFixture.serialized("macros-MacTests", root: root)
    let printed = DiagnosticFixture.read(try DiagnosticFixture.bytes("log/macro-expansions.log"), root: "/src/Mac")
    let expected = """
      error Tests/MacTests/MacTests.swift:3:32: binary operator '==' cannot be applied to operands of type 'Int' and 'String'
      error Tests/MacTests/MacTests.swift:4:1: Attribute 'Test' cannot specify arguments when used with function 'two()' because it does not take any (from macro 'Test')
      error Tests/MacTests/MacTests.swift:4:1: cannot convert value of type 'Int' to expected element type '()'
      error Tests/MacTests/MacTests.swift:5:1: Attribute 'Suite' cannot be applied to a function (from macro 'Suite ')
      error Tests/MacTests/MacTests.swift:6:28: errors thrown from here are not handled
      error Tests/MacTests/MacTests.swift:8:38: binary operator '==' cannot be applied to two 'NoConf' operands
      warning Tests/MacTests/MacTests.swift:3:49: 'old()' is deprecated [DeprecatedDeclaration]

      """
    let sources: (String) -> Bool = { $0 == "Tests/MacTests/MacTests.swift" }
    for printed in [[], printed.diagnostics] {
      var found = merged(serialized: files, printed: printed, failed: true, exists: sources)
      for index in found.indices { found[index].notes = [] }
      #expect(DiagnosticFixture.render(found) == expected)
    }
  }

  @Test("A message of several lines is recognised by its first")
  func severalLines() {
    let found = merged(serialized: [warning("one\ntwo")], printed: [warning("one")])
    #expect(found == [warning("one\ntwo")])
  }

  @Test("That a command failed is dropped when another stream says why", arguments: ["fatalError", "cancelled"])
  func echoes(message: String) {
    let echo = Diagnostic(severity: .error, message: message)
    #expect(merged(printed: [echo], failed: true) == [echo])
    let error = warning("no", severity: .error)
    #expect(merged(serialized: [error], printed: [echo], failed: true) == [error])
  }

  @Test("Remarks and notes that belong to nothing are no findings")
  func remarks() {
    #expect(merged(printed: [warning("a", severity: .remark), warning("b", severity: .note)]).isEmpty)
  }
}
