import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("The keys of pages")
struct PageKeyTests {
  private static let seed = PageHash.Seed(1, 2)

  /// The key and the bytes of each source's pages, by the path of the first.
  private func pages(
    _ report: Report, library: TemplateLibrary? = nil, seed: PageHash.Seed = seed
  ) throws -> [String: (key: PageKey, bytes: [[UInt8]])] {
    let pages = CoveragePages(
      report, facts: ReportFacts(report.integration), library: try library ?? PageSite.templates(),
      testPage: { "tests/\($0.name).html" })
    var found: [String: (key: PageKey, bytes: [[UInt8]])] = [:]
    for part in pages.parts {
      guard let key = part.prepared(PageHash(seed)).key else { continue }
      let files = try part.files()
      #expect(files.map(\.path) == part.paths)
      found[part.paths[0]] = (key, files.map(\.bytes))
    }
    return found
  }

  /// Changes to a report; each changes at least one page about source.
  private static let changes: [(name: String, change: @Sendable (inout Report) -> Void)] = [
    ("the text", { $0.sources["Sources/Greeter/Greeter.swift"]?[4] = UInt8(ascii: "X") }),
    ("a missing text", { $0.sources["Sources/Greeter/Greeter.swift"] = nil }),
    ("how often a line ran", { $0.change { $0.lines[1].count = 4 } }),
    ("the state of a line", { $0.change { $0.lines[5].state = .neverRan } }),
    ("a dead stretch", { $0.change { $0.deadStretches[0].columns = 28..<32 } }),
    ("the name of a function", { $0.change { $0.functions[0].name = "Greeter.voice" } }),
    ("the calls of a function", { $0.change { $0.functions[0].count = 12_346 } }),
    ("the end of a function", { $0.change { $0.functions[0].regions[0].end.line = 4 } }),
    ("what is folded into a function", { $0.change { $0.functions[1].folded = [.init(.closure, count: 0)] } }),
    ("a line that is left out", { $0.change { $0.leftOut = [11] } }),
    ("the totals", { $0.change { $0.totals.regions.total += 1 } }),
    ("llvm-cov's figure", { $0.change { $0.llvmLines.total += 7 } }),
    ("the target", { $0.change { $0.target = "Other" } }),
    ("a file behind it", { $0.change(1) { $0.lines[0] = LineCoverage(line: 1, count: 0, state: .neverRan) } }),
    ("the name of a file behind it", { $0.change(1) { $0.path = "Sources/Greeter/Words/Verbs.swift" } }),
    ("the baseline's totals", { $0.integration.baseline?.files["Sources/Greeter/Greeter.swift"]?.lines.total = 9 }),
    ("no baseline", { $0.integration.baseline = nil }),
    ("the message of a failure", { $0.integration.tests.results[0].failures[0].message = "wrong" }),
    ("the line of a failure", { $0.integration.tests.results[0].failures[1].location?.line = 8 }),
    ("no failure", { $0.integration.tests.results[0].failures = [] }),
    ("lost counters", { $0.cover { $0.isComplete = false } }),
    (
      "the reason of lost counters",
      {
        $0.cover { coverage in
          coverage.isComplete = false
          coverage.reason = "It died."
        }
      }
    ),
    ("the bot", { $0.integration.bot = "Other" }),
    ("a line that an issue leads to", { $0.integration.issues[0].location?.line = 2 }),
    ("a function that nothing checks", { $0.cover { $0.mutants = .known(Self.unchecked(tests: 4)) } }),
    ("a changed line", { $0.integration.changes = ChangeSample.pairs[0].1.changes }),
    ("a lost line", { $0.integration.changes = ChangeSample.pairs[1].1.changes }),
  ]

  /// A report on one function whose body was replaced and no test noticed.
  private static func unchecked(tests: Int) -> MutationReport {
    let start = SourcePosition(line: 2, column: 1)
    return MutationReport(
      scope: .all,
      functions: [
        MutationReport.Subject(
          path: "Sources/Greeter/Greeter.swift", start: start, end: SourcePosition(line: 4, column: 1), name: "greet()",
          tests: tests, verdict: .judged([MutationReport.Mutant(.zero)]))
      ])
  }

  @Test("The number of tests that ran a function that nothing checks changes the key of its page only")
  func unchecked() throws {
    func keys(tests: Int) throws -> [String: PageKey] {
      var report = Self.report
      report.cover { $0.mutants = .known(Self.unchecked(tests: tests)) }
      return try pages(report).mapValues(\.key)
    }
    let (few, many) = (try keys(tests: 4), try keys(tests: 5))
    #expect(few.keys.filter { few[$0] != many[$0] } == ["coverage/Sources-Greeter-Greeter.swift.html"])
  }

  private static var report: Report {
    var report = CoverageSample.report
    report.integration.issues = [
      Issue(
        id: "1", kind: .warning, status: .new, message: "look",
        location: SourceLocation(file: "Sources/Greeter/Greeter.swift", line: 9), age: 0)
    ]
    return report
  }

  @Test("What changes a page changes its key", arguments: changes.map(\.name))
  func changed(_ name: String) throws {
    let change = try #require(Self.changes.first { $0.name == name }).change
    var report = Self.report
    let before = try pages(report)
    change(&report)
    let after = try pages(report)
    var changes = 0
    for (path, page) in after {
      guard let known = before[path] else {
        changes += 1
        continue
      }
      #expect((known.bytes == page.bytes) || known.key != page.key, "\(path)")
      if known.bytes != page.bytes { changes += 1 }
    }
    #expect(changes > 0, "this changes no page")
  }

  @Test("The same report has the same keys, also with another number, commit and date")
  func same() throws {
    var report = Self.report
    let before = try pages(report).mapValues(\.key)
    report.integration.number = 43
    report.integration.commit.summary = "Another"
    report.integration.endedAt = report.integration.endedAt.addingTimeInterval(5)
    #expect(try pages(report).mapValues(\.key) == before)
    #expect(before.count == 4 && Set(before.values).count == 4)
  }

  @Test("Another template and another seed give other keys for all pages")
  func templates() throws {
    let before = try pages(Self.report).mapValues(\.key)
    let library = try PageSite.templates()
    let changed = try library.overlaid(by: PageSite.repository.appending(path: "templates/partials").path)
    #expect(changed.key != library.key)
    let others = try pages(Self.report, library: changed).mapValues(\.key)
    let seeded = try pages(Self.report, seed: PageHash.Seed(1, 3)).mapValues(\.key)
    for (path, key) in before { #expect(others[path] != key && seeded[path] != key, "\(path)") }
  }

  @Test("What is combined cannot run together")
  func boundaries() {
    func key(_ texts: [String?]) -> PageKey {
      var hash = PageHash(Self.seed)
      for text in texts { hash.combine(text) }
      return hash.key
    }
    let all: [[String?]] = [
      [], [""], [nil], ["", ""], ["a"], ["a", ""], ["", "a"], ["ab"], ["a", "b"], ["abcdefgh"], ["abcdefgh", ""],
      ["abcdefgh\0"], ["abcdefg", "h"], ["\0"], ["\0\0"],
    ]
    #expect(Set(all.map(key)).count == all.count)
    func key(_ value: TemplateValue) -> PageKey {
      var hash = PageHash(Self.seed)
      hash.combine(value)
      return hash.key
    }
    let values: [TemplateValue] = [
      .missing, true, false, 0, 1, "1", .list([]), .list([.missing]), .list(["a", "b"]), .list([.list(["a", "b"])]),
      .record([:]), .record(["a": "b"]), .record(["b": "a"]), .record(["a": "b", "b": "a"]), .html(.escaping("1")),
    ]
    #expect(Set(values.map(key)).count == values.count)
    let names = (0..<40).map { "name\($0)" }
    let one = Dictionary(uniqueKeysWithValues: names.map { ($0, TemplateValue.text($0)) })
    var other: [String: TemplateValue] = [:]
    for name in names.reversed() { other[name] = .text(name) }
    #expect(key(.record(one)) == key(.record(other)))
  }

  @Test("A key is read as it was written, and nothing else is")
  func text() {
    let key = PageKey(0x12, UInt64.max)
    #expect(key.text == "0000000000000012ffffffffffffffff")
    #expect(PageKey(key.text.utf8) == key)
    for text in [
      "", "0", key.text + "0", "-" + key.text.dropFirst(), key.text.uppercased(), "+" + key.text.dropFirst(),
      "W" + key.text.dropFirst(), "`" + key.text.dropFirst(), "g" + key.text.dropFirst(),
    ] {
      #expect(PageKey(text.utf8) == nil, "\(text)")
    }
  }
}

extension Report {
  /// Changes what is known of one counted file.
  fileprivate mutating func change(_ index: Int = 0, _ change: (inout FileCoverage) -> Void) {
    cover { change(&$0.files[index]) }
  }

  fileprivate mutating func cover(_ change: (inout Coverage) -> Void) {
    guard case .available(var coverage) = integration.coverage else { return }
    change(&coverage)
    integration.coverage = .available(coverage)
  }
}
