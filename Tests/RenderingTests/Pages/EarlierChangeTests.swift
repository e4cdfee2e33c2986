import Testing

@testable import Model
@testable import Rendering

@Suite("What an earlier integration changed that made a test red")
struct EarlierChangeTests {
  private static let file = "Sources/Greeter/Phrases/Language.swift"

  @Test("The page of the test has it until the test is fixed, and what names the line leads to it")
  func kept() throws {
    var report = GreeterSample.red
    let began = report.integration.number - 2
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    report.integration.issues[index].status = .unresolved
    report.integration.issues[index].life = IssueLife(firstSeen: began, streakStart: began, streakAge: 2)
    let issue = report.integration.issues[index]
    var record = IssueRecord(
      id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: issue.test,
      streaks: [.init(opened: began, lastSeen: report.integration.number, age: 2)])
    record.suspects = [
      Suspect(
        name: "Jon", email: "", confidence: .high, reason: "he changed it.", commit: CommitID(rawValue: "0123"),
        summary: "Greet later", place: Model.SourceLocation(file: Self.file, line: 8))
    ]
    record.suspectedHunk = SourceHunk(
      file: Self.file,
      lines: [
        .init(number: 8, text: "let earlier = 1", change: .removed),
        .init(number: 8, text: "let later = 1", change: .added),
      ])
    report.integration.issueRecords = [record]
    let site = try PageSite(report)
    let path = try #require(site.order.first { $0.hasPrefix("tests/") && $0.contains("atNoon") })
    let page = site.text(path)
    let start = try #require(page.firstRange(of: #"<section id="suspected""#)?.lowerBound)
    let part = page[start...].split(separator: "</section>")[0]
    #expect(part.contains(#"<tr class="went"><th class="ln" scope="row"><del aria-label="removed">−</del>8</th>"#))
    #expect(part.contains(#"<tr class="hot"><th class="ln" scope="row"><ins aria-label="added">+</ins>8</th>"#))
    #expect(
      part.contains(
        #"<span>in <a class="up" href="../../\#(began)/index.html">\#(began)</a> by <span class="sha"><a class="up" href="../../\#(began)/index.html#commits">0123</a></span> Greet later</span>"#
      )
    )
    #expect(page.contains(#"changed <a href="../issues/t-4c81.html#cause">Language.swift:8 in 0123</a>"#))
    #expect(
      site.text("index.html").contains(#"changed <a href="issues/t-4c81.html#cause">Language.swift:8 in 0123</a>"#))
    let cause = try #require(site.text("issues/t-4c81.html").split(separator: #"<section id="cause""#).last)
    #expect(
      site.text("issues/t-4c81.html").contains(
        #"<a class="up" href="../../\#(began)/index.html#commits">0123</a></span><span>Greet later</span></span></p>"#))
    #expect(cause.contains(#"<span class="cap">\#(Self.file) in \#(began)</span>"#))
  }

  @Test("What is still there of it around the line that failed is marked there, and not shown a second time")
  func together() throws {
    var report = GreeterSample.red
    let began = report.integration.number - 2
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    report.integration.issues[index].status = .unresolved
    report.integration.issues[index].life = IssueLife(firstSeen: began, streakStart: began, streakAge: 2)
    let issue = report.integration.issues[index]
    let place = try #require(issue.location)
    let source = try #require(report.sources[place.file])
    let lines = String(decoding: source, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    var record = IssueRecord(
      id: issue.id, kind: issue.kind, message: issue.message, location: place, test: issue.test,
      streaks: [.init(opened: began, lastSeen: report.integration.number, age: 2)])
    record.suspects = [
      Suspect(
        name: "Jon", email: "", confidence: .high, reason: "he changed it.", commit: CommitID(rawValue: "0123"),
        place: Model.SourceLocation(file: place.file, line: place.line - 1))
    ]
    func site(_ text: String) throws -> PageSite {
      record.suspectedHunk = SourceHunk(
        file: place.file,
        lines: [
          .init(number: place.line - 1, text: "let a = 1", change: .removed),
          .init(number: place.line - 1, text: text, change: .added),
        ])
      report.integration.issueRecords = [record]
      return try PageSite(report)
    }
    func page(of site: PageSite) throws -> String {
      site.text(try #require(site.order.first { $0.hasPrefix("tests/") && $0.contains("atNoon") }))
    }
    let (kept, changed) = try (site(String(lines[place.line - 2])), site("let a = 2"))
    let text = try page(of: kept)
    #expect(!text.contains("h-suspected"))
    let part = try #require(
      text.split(separator: #"<section id="source-1""#).last?.split(separator: "</section>").first)
    #expect(part.contains(#"<ins aria-label="added">+</ins>\#(place.line - 1)</th>"#))
    #expect(part.contains(#"<span>changed in <a class="up" href="../../\#(began)/index.html">\#(began)</a> by <span"#))
    #expect(try page(of: changed).contains("h-suspected"), "It has changed since then.")
    let own = kept.text("issues/t-4c81.html")
    #expect(own.contains(#"<ins aria-label="added">+</ins>\#(place.line - 1)</th>"#))
    #expect(own.contains(#"</h2><p>changed in <a class="up" href="../../\#(began)/index.html">\#(began)</a></p>"#))
    #expect(own.contains(#"<p class="lead" id="cause">"#) && !own.contains(#"<section id="cause""#))
    #expect(changed.text("issues/t-4c81.html").contains(#"<section id="cause""#), "It has changed since then.")
  }

  @Test(
    "A new issue that shares the suspects of an older one says what they did as that does, and leads to the same change"
  )
  func shared() throws {
    var report = GreeterSample.red
    let (number, began) = (report.integration.number, report.integration.number - 2)
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    report.integration.issues[index].status = .new
    report.integration.issues[index].life = IssueLife(firstSeen: number, streakStart: number, elderBegan: began)
    let issue = report.integration.issues[index]
    let place = try #require(issue.location)
    var streak = IssueRecord.Streak(opened: number, lastSeen: number)
    streak.elderBegan = began
    var record = IssueRecord(
      id: issue.id, kind: issue.kind, message: issue.message, location: place, test: issue.test, streaks: [streak])
    record.suspects = [
      Suspect(
        name: "Jon", email: "", confidence: .high, reason: "he changed it.", commit: CommitID(rawValue: "0123"),
        summary: "Greet later", place: place)
    ]
    report.integration.issues[index].suspects = record.suspects ?? []
    record.suspectedHunk = SourceHunk(
      file: place.file, lines: [.init(number: place.line, text: "let later = 1", change: .added)], replacesNone: true)
    report.integration.issueRecords = [record]
    let site = try PageSite(report)
    let link = #"added <a href="issues/t-4c81.html#cause">\#(place.fileName):\#(place.line) in 0123</a>"#
    #expect(site.text("index.html").replacing("<wbr>", with: "").contains(link))
    let source = try #require(site.html.first { $0.path.hasSuffix("GreetingTests.swift.html") }).text
    #expect(source.contains("<b>Jon</b>, who added this line</span>"))
    let cause = site.text("issues/t-4c81.html")
    #expect(cause.contains(#"<a class="up" href="../../\#(began)/index.html#commits">0123</a>"#))
    #expect(cause.contains(#"<span class="cap">\#(place.file) in \#(began)</span>"#))
  }

  @Test("A new test that hangs where an older one does has that one's cause, and its issue leads to the other")
  func elder() throws {
    var report = GreeterSample.red
    let began = report.integration.number - 2
    let place = Model.SourceLocation(file: Self.file, line: 10)
    let index = try #require(report.integration.issues.firstIndex { $0.id == "h-6b30" })
    report.integration.issues[index].location = place
    report.integration.issues[index].life = IssueLife(firstSeen: began, streakStart: began, streakAge: 2)
    var test = try #require(report.integration.tests.results.first { $0.hang != nil })
    test.id = TestID(module: "DoorbellTests", suite: "DoorbellTests", name: "waitsToo()")
    report.integration.tests.results.append(test)
    let suspect = Suspect(
      name: "Jon", email: "", confidence: .high, reason: "he changed it.", commit: CommitID(rawValue: "0123"),
      place: place)
    var new = Model.Issue(id: "h-77e1", kind: .timeOut, message: "no output for 30 s", location: place, test: test.id)
    let number = report.integration.number
    new.life = IssueLife(firstSeen: number, streakStart: number, elderBegan: began)
    new.suspects = [suspect]
    var again = new
    again.id = "h-77e2"
    test.id.name = "waitsAgain()"
    again.test = test.id
    report.integration.tests.results.append(test)
    report.integration.issues += [new, again]
    let source = try #require(report.sources[Self.file])
    let line = String(decoding: source, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)[9]
    report.integration.issueRecords = [report.integration.issues[index], new, again].map { issue in
      let opened = issue.id == "h-6b30" ? began : number
      var record = IssueRecord(
        id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: issue.test,
        streaks: [.init(opened: opened, lastSeen: number, age: number - opened)])
      record.suspects = [suspect]
      record.suspectedHunk = SourceHunk(
        file: Self.file, lines: [.init(number: 10, text: String(line), change: .added)], replacesNone: true)
      if opened == number { record.streaks[0].elderBegan = began }
      return record
    }
    let site = try PageSite(report)
    let summary = site.text("index.html")
    let words = "hangs at the same line as answeredBeforeWaiting(), since \(began)"
    #expect(summary.contains(#"<span class="say dim"><a href="issues/h-6b30.html">\#(words)</a></span>"#))
    #expect(summary.ranges(of: "hangs at the same line").count == 1)
    #expect(summary.ranges(of: "· Waiting for a lock or a queue that is taken</span>").count == 1)
    #expect(summary.ranges(of: "· Same place</span>").count == 2)
    let issue = site.text("issues/h-77e1.html")
    #expect(issue.contains(#"<span><a href="../issues/h-6b30.html">\#(words)</a></span>"#))
    #expect(issue.contains(#"<p>added in <a class="up" href="../../\#(began)/index.html">\#(began)</a></p>"#))
    let page = site.text(try #require(site.order.first { $0.hasPrefix("tests/") && $0.contains("waitsToo") }))
    #expect(page.contains(#"</span> <a href="../issues/h-6b30.html">\#(words)</a></span>"#))
    #expect(page.contains(#"<span>added in <a class="up" href="../../\#(began)/index.html">\#(began)</a> by <span"#))
    #expect(page.contains(#"<ins aria-label="added">+</ins>10</th>"#))
    let shown = try #require(
      page.split(separator: #"<section id="source-1""#).last?.split(separator: "</section>").first)
    #expect(shown.ranges(of: #"<th class="ln""#).count == 1, "Those around it may have been added, too.")
    #expect(page.contains(#"added <a href="../issues/h-77e1.html#cause">Language.swift:10 in 0123</a>"#))
  }
}
