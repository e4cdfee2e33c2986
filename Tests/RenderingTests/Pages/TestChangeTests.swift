@testable import Model
import Testing

@testable import Rendering

@Suite("The change that speaks for a suspect, on the page of a test")
struct TestChangeTests {
  private static let file = "Sources/Greeter/Phrases/Language.swift"

  /// The test that failed in Greeter 42 for a line that its newest commit changed.
  private static func report() throws -> Report {
    var report = GreeterSample.red
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    let newest = report.integration.commit
    report.integration.commits = [newest]
    report.integration.issues[index].suspects = [
      Suspect(
        name: "Jon", email: "", confidence: .high, reason: "he changed it.", commit: newest.id,
        place: Model.SourceLocation(file: file, line: 8))
    ]
    return report
  }

  private func head(_ report: Report) throws -> String {
    let site = try PageSite(report)
    let text = site.text(try #require(site.order.first { $0.hasPrefix("tests/") && $0.contains("atNoon") }))
    return String(try #require(text.firstMatch(of: /<h2 id="h-suspected">What changed<\/h2>(.*)<\/div>/)?.1))
  }

  /// The facts beside that heading, the commit first.
  private func facts(of report: Report, _ more: String = "") -> String {
    let link = ##"<a href="../index.html#commits">\##(report.integration.commit.id.short)</a>"##
    return #"<p class="facts"><span>by <span class="sha">\#(link)</span></span>\#(more)</p>"#
  }

  private func touching(_ files: [String], left: Int? = 0, in report: Report) -> Report {
    var report = report
    let commit = report.integration.commit
    var comparison = ComparisonSample.report.comparison
    comparison?.commits.added = [
      CommitChange(
        id: commit.id, author: commit.author, date: commit.date, message: commit.summary,
        files: files.map { CommitChange.File(path: $0, status: .modified, added: 1, removed: 1) }, filesLeft: left)
    ]
    report.comparison = comparison
    return report
  }

  @Test("Below what it ran stand no changed lines that all stand above it", arguments: [2...2, 2...3])
  func ran(lines: ClosedRange<Int>) throws {
    let id = TestID(module: "ATests", suite: "", name: "a()")
    var report = ChangeSample(
      before: ["1|a()"], now: ["1|a()", "4|b()", "4|c()"], hunks: [.init(old: 2..<2, new: 2..<4)]
    ).report
    report.integration.tests = TestReport(results: [TestResult(id: id, library: .swiftTesting, state: .failed)])
    report.integration.commits = [report.integration.commit]
    var issue = Issue(id: "t-1", kind: .testFailure, message: "late", test: id)
    issue.suspects = [
      Suspect(
        name: "Jon", email: "", confidence: .high, reason: "he changed it.", commit: report.integration.commit.id,
        place: Model.SourceLocation(file: ChangeSample.path, line: 2))
    ]
    report.integration.issues = [issue]
    var coverage = try #require(report.integration.coverage.coverage)
    coverage.testMap = .known(
      TestMap(
        tests: [id], sets: [[0]],
        files: [ChangeSample.path: .init(lines: [.init(lines: lines, set: 0)], functions: [])]))
    report.integration.coverage = .available(coverage)
    let page = try PageSite(report).text(ReportPaths(tests: [id]).page(of: id))
    #expect(page.contains("What changed</h2>") && page.contains("What it ran</h2>"))
    #expect(page.contains(#"<p class="lead ran">Changed in "#) == (lines.count > 1))
  }

  @Test("Other files that changed are counted, with a link to them")
  func others() throws {
    let report = try Self.report()
    let alone = facts(of: report)
    #expect(try head(report) == alone, "Nobody read which files changed.")
    #expect(try head(touching([Self.file], in: report)) == alone)
    #expect(
      try head(touching([Self.file, "README.md"], in: report))
        == facts(of: report, #"<span><a href="../index.html#files">1 other changed file</a></span>"#))
    #expect(try head(touching([Self.file, "README.md"], left: 3, in: report)) == alone, "It is not known how many.")
  }

  @Test("Where several commits changed them, it is said since when")
  func ofSeveral() throws {
    var report = touching([Self.file, "README.md"], in: try Self.report())
    var other = report.integration.commit
    other.id = CommitID(rawValue: String(repeating: "e", count: 40))
    report.integration.commits.append(other)
    report.comparison?.commits.added.append(
      CommitChange(
        id: other.id, author: other.author, date: other.date, message: other.summary,
        files: [CommitChange.File(path: "a.txt", status: .modified, added: 1, removed: 1)], filesLeft: 0))
    #expect(try head(report).contains(">2 other files changed since 41</a>"))
  }

  @Test("Lines that were added are marked so, and lead to their source")
  func added() throws {
    var report = try Self.report()
    let issue = try #require(report.integration.issues.first { $0.id == "t-4c81" })
    let number = report.integration.number
    var record = IssueRecord(
      id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: issue.test,
      streaks: [.init(opened: number, lastSeen: number)])
    record.suspects = issue.suspects
    record.suspectedHunk = SourceHunk(
      file: Self.file,
      lines: [
        .init(number: 8, text: "let a = 1", change: .removed), .init(number: 8, text: "let a = 2", change: .added),
      ])
    report.integration.issueRecords = [record]
    let site = try PageSite(report)
    let text = site.text(try #require(site.order.first { $0.hasPrefix("tests/") && $0.contains("atNoon") }))
    let part = try #require(text.split(separator: #"id="h-suspected""#).last?.split(separator: "</section>").first)
    #expect(part.contains(#"<tr class="went"><th class="ln" scope="row"><del aria-label="removed">−</del>8</th>"#))
    #expect(part.contains(#"<tr class="hot"><th class="ln" scope="row"><ins aria-label="added">+</ins>8</th>"#))
    #expect(part.contains(#"#L8">whole file</a>"#))
    func deed() throws -> Substring? {
      try PageSite(report).text("index.html").firstMatch(of: /<small>(\w+) (?:<a [^>]*>)?(?:<wbr>|[^<])*:8</)?.1
    }
    #expect(try deed() == "changed")
    report.integration.issueRecords[0].suspectedHunk?.lines[0] = .init(number: 7, text: "let b = 2")
    #expect(try deed() == "added", "No line was removed there.")
  }

  @Test("A change around the line that failed is marked there, and not shown a second time")
  func together() throws {
    var report = try Self.report()
    let issue = try #require(report.integration.issues.first { $0.id == "t-4c81" })
    let place = try #require(issue.location)
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    report.integration.issues[index].suspects[0].place?.file = place.file
    report.integration.issues[index].suspects[0].place?.line = place.line - 1
    var record = IssueRecord(
      id: issue.id, kind: issue.kind, message: issue.message, location: place, test: issue.test,
      streaks: [.init(opened: report.integration.number, lastSeen: report.integration.number)])
    record.suspects = report.integration.issues[index].suspects
    record.suspectedHunk = SourceHunk(
      file: place.file,
      lines: [
        .init(number: place.line - 1, text: "let a = 1", change: .removed),
        .init(number: place.line - 1, text: "let a = 2", change: .added),
      ])
    report.integration.issueRecords = [record]
    func page() throws -> String {
      let site = try PageSite(touching([Self.file, place.file], in: report))
      return site.text(try #require(site.order.first { $0.hasPrefix("tests/") && $0.contains("atNoon") }))
    }
    let text = try page()
    #expect(!text.contains("h-suspected"))
    let part = try #require(
      text.split(separator: #"<section id="source-1""#).last?.split(separator: "</section>").first)
    #expect(part.contains("Where it failed</h2>") && part.contains("1 other changed file"))
    #expect(part.contains(#"<del aria-label="removed">−</del>\#(place.line - 1)</th>"#))
    #expect(
      part.contains(
        #"<tr class="came"><th class="ln" scope="row"><ins aria-label="added">+</ins>\#(place.line - 1)</th>"#))
    #expect(part.contains(#"<tr class="hot"><th class="ln" scope="row">\#(place.line)</th>"#))
    // What is not all in sight stands by itself.
    report.integration.issueRecords[0].suspectedHunk?.lines.append(
      .init(number: place.line + 30, text: "let b = 2", change: .added))
    #expect(try page().contains("h-suspected"))
  }

  @Test("A change that takes back what once fixed the test says so")
  func undone() throws {
    var report = try Self.report()
    func hunk(_ removed: String, _ added: String, at line: Int) -> SourceHunk {
      SourceHunk(
        file: Self.file,
        lines: [
          .init(number: line, text: removed, change: .removed), .init(number: line, text: added, change: .added),
        ])
    }
    let number = report.integration.number
    let issue = try #require(report.integration.issues.first { $0.id == "t-4c81" })
    let commit = report.integration.commit
    func record(fixing fix: SourceHunk) -> IssueRecord {
      var streak = IssueRecord.Streak(opened: 5, lastSeen: 6, closed: 7)
      streak.resolution = IssueRecord.Resolution([commit])
      streak.resolution?.hunks = [fix]
      var record = IssueRecord(
        id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: issue.test,
        streaks: [streak, .init(opened: number, lastSeen: number)])
      record.suspectedHunk = hunk("let a = 1", "let a = 2", at: 8)
      return record
    }
    report.integration.issueRecords = [record(fixing: hunk("let a = 2", "let a = 1", at: 3))]
    #expect(
      try head(report)
        == facts(
          of: report,
          #"<span>undoes the fix in <a class="up" href="../../7/index.html">7</a>, "#
            + #"<span class="sha">\#(commit.id.short)</span></span>"#))
    report.integration.issueRecords = [record(fixing: hunk("let a = 3", "let a = 1", at: 3))]
    #expect(try head(report) == facts(of: report))
  }
}
