import Model
import Testing

@testable import Rendering

@Suite("A page with each kind of line that ran partly")
struct PartialLinesTests {
  /// A line for each kind; what stands between the bars of `⟦⟧` never ran. Each is followed by the same line that ran.
  private static let lines = [
    "if isOpen ⟦{ close() }⟧",
    "if isOpen { close() } else ⟦{ open() }⟧",
    "if isOpen { close() } else if isLocked ⟦{ unlock() }⟧",
    "guard let key else ⟦{ return }⟧",
    "do { try turn() } catch ⟦{ give(up: error) }⟧",
    "defer ⟦{ close() }⟧",
    "for door in doors ⟦{ close(door) }⟧",
    "while isOpen ⟦{ close() }⟧",
    "repeat ⟦{ close() }⟧ while isOpen",
    "let name = key?.name ?? ⟦\"none\"⟧",
    "let isSafe = isClosed && ⟦isLocked⟧",
    "let isOpen = isBroken || ⟦!isClosed⟧",
    "let sign = isOpen ? ⟦\"open\"⟧ : \"closed\"",
    "let sign = isOpen ? \"open\" : ⟦\"closed\"⟧",
    "case .locked: ⟦return key⟧",
    "⟦default: return nil⟧",
    "let names = doors.map ⟦{ $0.name }⟧",
    "let door = try? ⟦find(key)⟧",
    "precondition(isOpen, ⟦\"It is closed.\"⟧)",
    "log(level, ⟦name + \"!\"⟧)",
    "all(doors[⟦...⟧])",
    "try open(try find(key)⟦)⟧",
    "if isOpen { return }⟦⟧",
    "if doors.allSatisfy(⟦{ $0.isOpen }⟧) {",
    "if let door = doors.first(where: ⟦{ $0.isOpen }⟧) ?? spare {",
    "for _ in doors.filter(⟦{ $0.isOpen }⟧) + [spare] {",
    "while count < 3, !doors.contains(where: ⟦{ $0.isOpen }⟧) {",
    "for door in doors { if door.isOpen ⟦{ count += 1 }⟧ }",
    "let count = if isOpen { 1 } else ⟦{ 2 }⟧",
    "case .open: if isLocked ⟦{ count += 1 }⟧",
    "doors.forEach { if $0.isOpen ⟦{ count += 1 }⟧ }",
    "do { if isLocked ⟦{ throw Locked() }⟧ } catch { }",
    "{ var count = 0; if isLocked ⟦{ count = 3 }⟧; return count }",
    "func open(_ door: Door) -> Bool ⟦{⟧",
    "var isShut: Bool { get { !isOpen } set ⟦{ isOpen = !newValue }⟧ }",
    "assert(⟦isOpen⟧)",
  ]

  private static var report: Report {
    var report = CoverageSample.report
    var (text, lines, dead) = ("", [LineCoverage](), [DeadStretch]())
    for (index, marked) in Self.lines.enumerated() {
      let parts = marked.split(separator: "⟦", omittingEmptySubsequences: false).flatMap {
        $0.split(separator: "⟧", omittingEmptySubsequences: false)
      }
      let line = parts.joined()
      text += "\(line)\n\(line)\n"
      let start = parts[0].utf8.count + 1
      let columns = parts[1].isEmpty ? start..<Int.max : start..<(start + parts[1].utf8.count)
      dead.append(DeadStretch(line: index * 2 + 1, columns: columns))
      lines.append(LineCoverage(line: index * 2 + 1, count: 3, state: .partlyRan))
      lines.append(LineCoverage(line: index * 2 + 2, count: 3, state: .ran))
    }
    let path = "Sources/Door/Door.swift"
    report.integration.coverage = .available(
      Coverage(files: [file(path, target: "Door", lines: lines, dead: dead)], profilesRead: 1))
    report.integration.tests = TestReport()
    report.integration.baseline = nil
    report.sources = [path: Array(text.utf8)]
    return report
  }

  @Test("The reason is one cell, and quotes what stands far to the right")
  func reason() {
    func reason(_ text: String, _ columns: Range<Int>) -> String? {
      html(
        text, lines: [LineCoverage(line: 1, count: 1, state: .partlyRan)],
        dead: [DeadStretch(line: 1, columns: columns)]
      ).split(separator: "<tr class=why>").dropFirst().first.map { String($0.prefix { $0 != "\n" }) }
    }
    let sentence = "<td colspan=3><p>The right side of ?? never ran: the left side was never nil."
    #expect(reason("let a = b ?? c<d>()\n", 14..<20) == sentence)
    let start = "let a = \(String(repeating: "b", count: 110)) ?? "
    #expect(reason(start + "c<d>()\n", 123..<129) == sentence + " Striped: <code>c&lt;d&gt;()</code>")
    #expect(reason(start + "c\n", 123..<124) == sentence)
    let long = String(repeating: "é", count: 30)
    #expect(reason(start + "c" + long, 123..<260) == sentence + " Striped: <code>c\(long.prefix(19))…</code>")
  }

  @Test("Each quote stands behind the sentence that is about it")
  func quotes() {
    func reason(_ text: String, _ dead: [String]) -> String? {
      let stretches = dead.map { part in
        let before = text.prefix(upTo: text.firstRange(of: part)?.lowerBound ?? text.endIndex).utf8.count
        return DeadStretch(line: 1, columns: (before + 1)..<(before + 1 + part.utf8.count))
      }
      return html(text, lines: [LineCoverage(line: 1, count: 1, state: .partlyRan)], dead: stretches)
        .split(separator: "<tr class=why><td colspan=3><p>").dropFirst().first.map { String($0.prefix { $0 != "\n" }) }
    }
    let start = "let a = f(\(String(repeating: "b", count: 110)) ?? "
    let right = "The right side of ?? never ran: the left side was never nil."
    let side = "This side of the conditional expression never ran."
    #expect(
      reason(start + "cccc, d ? eeee : f)\n", ["cccc", "eeee"])
        == "\(right) Striped: <code>cccc</code>. \(side) Striped: <code>eeee</code>")
    #expect(
      reason(start + "c, d ? eeee : f, g ? h : iiii)\n", ["eeee", "iiii"])
        == "\(side) Striped: <code>eeee</code>, <code>iiii</code>")
  }

  private func page(_ report: Report) throws -> String {
    let pages = CoveragePages(report, facts: ReportFacts(report.integration), library: try PageSite.templates())
    let file = try #require(try pages.parts.flatMap { try $0.files() }.first { $0.path.hasPrefix("coverage/") })
    return String(decoding: file.bytes, as: UTF8.self)
  }

  @Test("It looks as accepted")
  func golden() throws {
    let main = try page(Self.report).split(separator: "<main id=\"content\">\n")[1].split(separator: "</main>")[0]
    try GoldenFile("coverage-pages/partial-lines.html").compare(with: String(main))
  }

  @Test("Each such line has its letter and its dead text, and the same line that ran has neither")
  func letters() throws {
    let page = try page(Self.report)
    for index in Self.lines.indices {
      let start = try #require(page.firstRange(of: "<tr id=L\(index * 2 + 1) ")).lowerBound
      let text = page[start...].split(separator: "<tr id", maxSplits: 1)[0]
      #expect(text.contains("class=p") && text.contains("<td>3<small> partly"), "\(Self.lines[index])")
      #expect(text.contains("class=\"dead\"") != Self.lines[index].hasSuffix("⟦⟧"), "\(Self.lines[index])")
      #expect(page.contains("<tr id=L\(index * 2 + 2)>"), "\(Self.lines[index])")
    }
  }

  @Test("A line that ran only because a test process started says so, and still counts as run")
  func incidental() throws {
    var report = CoverageSample.report
    var coverage = try #require(report.integration.coverage.coverage)
    // One of the three ran only partly.
    coverage.files[0].incidental = [4, 5, 9]
    coverage.incidental = .known(3)
    report.integration.coverage = .available(coverage)
    let page = try page(report)
    #expect(page.contains("<tr id=L4 class=i><td>4<td>3<small> start-up</small><td>"))
    #expect(page.contains("<tr id=L5 class=p><td>5<td>3<small> partly start-up</small><td>"))
    #expect(page.contains("<tr id=L9 class=i data-stop=hot><td>9<td>3<small> start-up</small><td>"))
    #expect(page.ranges(of: " start-up</small><td>").count == 3)
    #expect(page.contains("<tr id=L8><td>8<td>3<td>") && page.contains("<tr id=L10>"))
    #expect(page.contains("<span>3 lines only at start-up</span>"))
    #expect(page.contains("<b class=\"I\">start-up</b> ran as test processes started, without any test"))
    let site = try PageSite(report)
    #expect(site.text("coverage.html").contains("<span>3 of them only at start-up</span>"))
    #expect(
      site.text("coverage.html").contains(
        "<dd>3 lines ran only because test processes started, without any test; they count as run</dd>"))
    let document = IntegrationRecord(report.integration).coverage
    #expect(document.incidental?.lines == 3 && document.files?.map(\.incidental) == [3, nil, nil])
    #expect(document.lines == CoverageSample.report.integration.coverage.coverage?.totals.lines)
  }

  @Test("Why it is not known what runs without any test is said, and no figure stands for it")
  func unknown() throws {
    var report = CoverageSample.report
    var coverage = try #require(report.integration.coverage.coverage)
    coverage.incidental = .unknown(reason: "It hung.")
    report.integration.coverage = .available(coverage)
    #expect(try PageSite(report).text("coverage.html").contains("<dd>not known: It hung.</dd>"))
    let document = IntegrationRecord(report.integration).coverage
    #expect(document.incidental?.reason == "It hung." && document.incidental?.lines == nil)
    #expect(try !PageSite(CoverageSample.report).text("coverage.html").contains("Incidental"))
  }
}
