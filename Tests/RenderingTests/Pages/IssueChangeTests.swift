import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

@Suite("The changes quoted on the page of an issue")
struct IssueChangeTests {
  @Test("Of many changed lines the one that speaks for the suspect is marked")
  func ownLine() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issues.removeAll { $0.id == "t-4c81" }
    report.integration.issueRecords[index].streaks = [.init(opened: 40, lastSeen: 41, closed: 42)]
    report.integration.issueRecords[index].suspects = [
      Suspect(
        name: "Ada", email: "", confidence: .high, reason: "9f1c2ab changed Options.swift:8.",
        place: Model.SourceLocation(file: "Sources/greet/Options.swift", line: 8))
    ]
    func rows(_ numbers: ClosedRange<Int>) throws -> [Substring] {
      report.integration.issueRecords[index].suspectedHunk = SourceHunk(
        file: "Sources/greet/Options.swift",
        lines: numbers.map { .init(number: $0, text: "let line = 1", change: .added) })
      return try PageSite(report).text("issues/t-4c81.html").matches(of: /<tr class="([^"]*)"><th class="ln"/).map(\.1)
    }
    #expect(try rows(7...9) == ["hot", "hot own", "hot"])
    #expect(try rows(8...8) == ["hot"])
  }

  @Test("Once it is fixed, the line with code that the fix took away is marked, and how long it was open is a bound")
  func fixedLine() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issues.removeAll { $0.id == "t-4c81" }
    report.integration.histories = [:]
    let file = "Sources/greet/Options.swift"
    var streak = IssueRecord.Streak(opened: 40, lastSeen: 40, closed: 42, age: 1)
    var resolution = try #require(IssueRecord.Resolution([report.integration.commit]))
    resolution.integrations = 41...42
    resolution.hunks = [
      SourceHunk(
        file: file,
        lines: [
          .init(number: 18, text: "/// Sorts.", change: .removed),
          .init(number: 19, text: "  sort()", change: .removed),
          .init(number: 19, text: "  sorted()", change: .added),
        ])
    ]
    (streak.resolution, streak.ending) = (resolution, .fixed)
    report.integration.issueRecords[index].streaks = [streak]
    report.integration.issueRecords[index].suspects = [
      Suspect(
        name: "Ada", email: "", confidence: .high, reason: "9f1c2ab changed Options.swift:8.",
        place: Model.SourceLocation(file: file, line: 8))
    ]
    report.integration.issueRecords[index].suspectedHunk = SourceHunk(
      file: file,
      lines: [
        .init(number: 7, text: "/// Sorts.", change: .added), .init(number: 8, text: "  var all = []", change: .added),
        .init(number: 9, text: "  sort()", change: .added),
      ])
    let page = try PageSite(report).text("issues/t-4c81.html")
    let rows = page.matches(of: /<tr class="(hot[^"]*)"><th class="ln"/).map(\.1)
    #expect(rows.prefix(3) == ["hot", "hot", "hot own"])
    #expect(page.contains("<span>open for up to 2 integrations</span>"))
  }

  @Test("A failure of many lines is compared line by line, and its message is not repeated")
  func lines() throws {
    var report = IssueSample.report
    let id = try #require(report.integration.issues.first { $0.id == "t-4c81" }?.test)
    let message =
      "XCTAssertEqual failed: (\"Pancakes\n• flour\n• milk\n1. Fry.\") is not equal to "
      + "(\"Pancakes\n- flour\n- milk\n1. Fry.\") - "
    for index in report.integration.tests.results.indices where report.integration.tests.results[index].id == id {
      report.integration.tests.results[index].failures = [
        TestFailure(location: nil, message: message, parsed: FailureMessage.xctest(message))
      ]
    }
    for index in report.integration.issues.indices where report.integration.issues[index].test == id {
      report.integration.issues[index].message = message
    }
    let page = try PageSite(report).text("issues/t-4c81.html")
    #expect(page.contains("<caption>2 lines only on the left, 2 lines only on the right</caption>"))
    #expect(page.contains(#"<h2 id="h-message-1">Failure</h2><p class="dots"><span>XCTAssertEqual</span></p>"#))
    #expect(!page.contains(#"id="h-message""#) && !page.contains("is not equal to"))
  }

  @Test("A change leads to its line also where the source shows it with the lines before")
  func anchor() throws {
    var report = IssueSample.report
    let number = report.integration.number
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issues.removeAll { $0.id == "t-4c81" }
    report.integration.histories = [:]
    report.sources["Sources/greet/Options.swift"] = Array(String(repeating: "let a = 1\n", count: 24).utf8)
    let commit = Commit(
      id: CommitID(rawValue: "e83f1640"), summary: "Ring at noon", author: "Mira", date: Date(timeIntervalSince1970: 0))
    for line in 1...12 {
      var streak = IssueRecord.Streak(opened: number - 2, lastSeen: number - 1, closed: number)
      streak.resolution = IssueRecord.Resolution([commit])
      streak.resolution?.hunks = [
        SourceHunk(file: "Sources/greet/Options.swift", lines: [.init(number: line, text: "x", change: .added)])
      ]
      report.integration.issueRecords[index].streaks = [streak]
      let site = try PageSite(report)
      let links = PageMarkup(site.text("issues/t-4c81.html")).values(of: "href").filter { $0.hasSuffix("#L\(line)") }
      let path = PageMarkup.resolve(
        String(try #require(links.first).prefix { $0 != "#" }), from: "issues/t-4c81.html")
      #expect(PageMarkup(site.text(path)).values(of: "id").contains("L\(line)"), "\(line)")
    }
  }

  @Test("Beside its own line an error has what was removed there, the literal at its column marked, and its place once")
  func patch() throws {
    var report = GreeterSample.green
    let number = report.integration.number
    let place = Model.SourceLocation(file: "Sources/Greeter/Names.swift", line: 2, column: 20)
    report.sources[place.file] = Array("struct Names {\n  let count: Int = \"one\"\n}\n".utf8)
    var record = IssueRecord(
      id: "e-1", kind: .error, message: "cannot convert value", location: place, test: nil,
      streaks: [.init(opened: number, lastSeen: number)])
    record.suspectedHunk = SourceHunk(
      file: place.file,
      lines: [
        .init(number: 1, text: "struct Names {"), .init(number: 2, text: "  var unused = 1", change: .removed),
        .init(number: 2, text: "  let count: Int = \"one\"", change: .added),
      ])
    var issue = Model.Issue(record)
    issue.status = .new
    issue.suspects = [
      Suspect(
        name: "Ben", email: "", confidence: .high, reason: "",
        place: Model.SourceLocation(file: place.file, line: place.line))
    ]
    report.integration.issueRecords = [record]
    report.integration.issues = [issue]
    let page = try PageSite(report).text("issues/e-1.html")
    #expect(page.matches(of: /<tr class="went">/).count == 1)
    #expect(page.matches(of: /<mark>.*?one.*?<\/mark>/).count == 1)
    #expect(page.contains(">Names.swift:2:20<") && !page.contains(">Names.swift:2<"))
  }

  @Test("Of a change that is too large to be remembered whole, no line is shown that would seem to be old")
  func cut() throws {
    var report = GreeterSample.green
    let place = Model.SourceLocation(file: "Sources/Greeter/Names.swift", line: 14, column: 5)
    report.sources[place.file] = Array(String(repeating: "let a = 1\n", count: 30).utf8)
    var record = IssueRecord(
      id: "e-1", kind: .error, message: "cannot convert value", location: place, test: nil,
      streaks: [.init(opened: report.integration.number, lastSeen: report.integration.number)])
    record.suspectedHunk = SourceHunk(
      file: place.file, lines: (9..<19).map { .init(number: $0, text: "let a = 1", change: .added) })
    var issue = Model.Issue(record)
    issue.status = .new
    issue.suspects = [Suspect(name: "Ben", email: "", confidence: .high, reason: "", place: place)]
    report.integration.issueRecords = [record]
    report.integration.issues = [issue]
    let page = try PageSite(report).text("issues/e-1.html")
    let lines = page.matches(of: /<th class="ln" scope="row">(<ins[^>]*>\+<\/ins>)?([0-9]+)<\/th>/)
    #expect(lines.allSatisfy { $0.1 != nil } && lines.count > 5)
  }

  @Test("A message of two operands shows where they differ also when its test is gone")
  func operands() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issues.removeAll { $0.id == "t-4c81" }
    report.integration.issueRecords[index].streaks = [.init(opened: 40, lastSeen: 41, closed: 42)]
    report.integration.issueRecords[index].message =
      #"Expectation failed: (Greeter().hail() → "Hello, Ada") == "Good day, Ada""#
    #expect(try PageSite(report).text("issues/t-4c81.html").contains("<mark>Hello</mark>"))
  }

  @Test("What ended a test stands without the word for it, which the heading has")
  func end() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issues.removeAll { $0.id == "t-4c81" }
    report.integration.issueRecords[index].streaks = [.init(opened: 40, lastSeen: 41, closed: 42)]
    report.integration.issueRecords[index].kind = .timeOut
    report.integration.issueRecords[index].message = "Timed out: longer than 4 s"
    report.integration.issueRecords[index].end = "longer than 4 s"
    let page = try PageSite(report).text("issues/t-4c81.html")
    #expect(page.contains(">Longer than 4 s</p>") && !page.contains("Timed out:"))
  }

  @Test("A build error has the line that its own replaced")
  func errorChange() throws {
    var report = OtherSamples.buildErrors
    let place = try #require(report.integration.issues[0].location)
    let number = report.integration.number
    var record = IssueRecord(
      id: "e-1", kind: .error, message: report.integration.issues[0].message, location: place, test: nil,
      streaks: [.init(opened: number, lastSeen: number)])
    let added = SourceHunk.Line(number: place.line, text: "  return known", change: .added)
    func index(_ removed: [String]) throws -> String {
      record.suspectedHunk = SourceHunk(
        file: place.file, lines: removed.map { .init(number: place.line, text: $0, change: .removed) } + [added])
      report.integration.issueRecords = [record]
      return try PageSite(report).text("index.html")
    }
    let pair = #"<code class="line"><del aria-label="removed">−</del><b>return</b> old</code><code class="line"><ins"#
    #expect(try index(["  return old"]).contains(pair))
    #expect(try !index(["one", "two"]).contains(#"<del aria-label="removed">"#), "Several lines are on its page.")
  }

  @Test("A summary names the changed line that ended an issue, if it is the only one")
  func mending() throws {
    var report = IssueSample.report
    report.integration.histories = [:]
    let number = report.integration.number
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    var resolution = try #require(IssueRecord.Resolution([report.integration.commit]))
    let hunk = SourceHunk(
      file: "Sources/greet/Options.swift",
      lines: [.init(number: 8, text: "one", change: .removed), .init(number: 8, text: "two", change: .added)])
    func age(_ hunks: [SourceHunk]?) throws -> String {
      resolution.hunks = hunks
      var streak = IssueRecord.Streak(opened: number - 2, lastSeen: number - 1, closed: number, age: 1)
      (streak.ending, streak.resolution) = (.fixed, resolution)
      report.integration.issueRecords[index].streaks = [streak]
      let issue = Model.Issue(report.integration.issueRecords[index])
      report.integration.issues.removeAll { $0.id == "t-4c81" }
      report.integration.issues.append(issue)
      let page = try PageSite(report).text("index.html")
      return try #require(page.firstMatch(of: /<td>opened in <a[^>]*>\d+<\/a>, (fixed.*?)<\/td>/)).1.description
    }
    #expect(try age(nil) == "fixed")
    let one = try age([hunk])
    let author = report.integration.commit.author
    let by = #"fixed by <a href="issues/t-4c81.html#fix"><b>\#(author)</b></a> at "#
    #expect(one.hasPrefix(#"\#(by)<a href="coverage/Sources-greet-Options.swift.html"#))
    #expect(one.hasSuffix(">Options.swift:8</a>"))
    #expect(try age([hunk, hunk]) == "fixed")
    // What changed near it did not end it.
    let near = SourceHunk(
      file: hunk.file,
      lines: hunk.lines + [
        .init(number: 9, text: "stays"), .init(number: 10, text: "old", change: .removed),
        .init(number: 11, text: "new", change: .added),
      ])
    report.integration.issueRecords[index].seenAt = Model.SourceLocation(file: hunk.file, line: 10)
    #expect(try age([near]).hasSuffix(">Options.swift:11</a>"))
    #expect(near.replacing(Model.SourceLocation(file: hunk.file, line: 10))?.lines == Array(near.lines.suffix(3)))
  }

  @Test("A place both of an issue and of the change that ended it stands once, with the line as it is now")
  func mendedThere() throws {
    var report = IssueSample.report
    report.integration.histories = [:]
    let number = report.integration.number
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    let place = try #require(report.integration.issueRecords[index].location)
    var resolution = try #require(IssueRecord.Resolution([report.integration.commit]))
    resolution.hunks = [SourceHunk(file: place.file, lines: [.init(number: place.line, text: "two", change: .added)])]
    var streak = IssueRecord.Streak(opened: number - 2, lastSeen: number - 1, closed: number, age: 1)
    (streak.ending, streak.resolution) = (.fixed, resolution)
    report.integration.issueRecords[index].streaks = [streak]
    report.integration.issues = [Model.Issue(report.integration.issueRecords[index])]
    let page = try PageSite(report).text("index.html")
    let rest = try #require(page.split(separator: #"<section id="issues""#).last)
    let section = try #require(rest.split(separator: "</section>").first)
    let author = #"<b>\#(report.integration.commit.author)</b>"#
    #expect(section.contains(#", fixed by <a href="issues/t-4c81.html#fix">\#(author)</a></td>"#))
    let name = String(decoding: SafeHTML.name(place.short).bytes, as: UTF8.self)
    #expect(section.ranges(of: name).count == 1)
    #expect(section.contains(#"#L\#(place.line)">\#(name)</a></span></td>"#))
  }

  @Test(
    "A gate of lost lines that were changed since did not pass by their coverage, and issues that are gone are no others"
  )
  func changedLines() throws {
    var report = IssueSample.report
    let number = report.integration.number
    func text(_ line: Int, rule: String = "no-lost-coverage") throws -> String {
      let hunk = SourceHunk(
        file: "Sources/greet/Options.swift", lines: [.init(number: line, text: "one", change: .removed)])
      var resolution = try #require(IssueRecord.Resolution([report.integration.commit]))
      resolution.hunks = [hunk]
      var gate = GateResult(rule: rule, state: .failed, sentence: "1 line no longer runs.")
      gate.lines = [SourceLocation(file: hunk.file, line: 8)]
      gate.share = rule == "patch=80" ? Tally(total: 13, covered: 2) : nil
      var issue = Model.Issue(id: "g-1", kind: .gate, message: "Gate", location: gate.lines?.first)
      (issue.subject, issue.status, issue.ending) = (.gate(rule), .resolved, .fixed)
      issue.life = IssueLife(firstSeen: number - 1, streakStart: number - 1, streakAge: 0)
      var record = IssueRecord(
        id: issue.id, kind: .gate, message: issue.message, location: issue.location, test: nil,
        streaks: [.init(opened: number - 1, lastSeen: number - 1, closed: number)])
      (record.failedGate, record.streaks[0].ending, record.streaks[0].resolution) = (gate, .fixed, resolution)
      (report.integration.issues, report.integration.issueRecords) = ([issue], [record])
      return try PageSite(report).text("index.html")
    }
    let changed = try text(8)
    let before = #"<a class="up" href="../\#(number - 1)/index.html">\#(number - 1)</a>"#
    #expect(changed.contains("<td>opened in \(before), passed as its line was changed</td>"), "\(changed)")
    #expect(changed.contains(#"<h2 id="h-issues">Resolved issues</h2>"#) && !changed.contains("Resolved 1"))
    let by = #"passed, covered by <a href="issues/g-1.html#fix"><b>\#(report.integration.commit.author)</b></a> with "#
    #expect(try text(9).contains("<td>opened in \(before), \(by)"))
    let partly = try text(8, rule: "patch=80")
    #expect(partly.contains("<td>opened in \(before), passed, covered by "))
    let need = #"<small class="beside">9 of the 11 lines were enough</small></td>"#
    #expect(partly.contains(need), "The others may be uncovered still.")
  }

  @Test(
    "What ended with its test is not shown as mended",
    arguments: [
      (IssueRecord.Ending.fixed, "passed"), (.passedAgain, "passed"), (.failsOtherwise, "canceled"),
      (.testDeleted, "canceled"),
      (.fileDeleted, "canceled"),
      (.knownIssue, "known"),
    ])
  func glyph(ending: IssueRecord.Ending, glyph: String) throws {
    var report = IssueSample.report
    report.integration.histories = [:]
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    (report.integration.issues[index].status, report.integration.issues[index].ending) = (.resolved, ending)
    let page = try PageSite(report).text("issues/t-4c81.html")
    #expect(page.contains(#"<svg class="g big is-\#(glyph)""#))
  }

  @Test("The row of a test says what speaks for a suspect without a changed line, with a link to the commits")
  func suspectWithoutLine() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    report.integration.issues[index].suspects = [
      Suspect(
        name: "Noor", email: "", confidence: .medium, reason: "7c49fe1, the only commit, changed Recipe.swift.",
        commit: report.integration.commits[0].id)
    ]
    let reason = #"<a href="index.html#commits">7c49fe1, the only commit, changed Recipe.swift</a>"#
    #expect(
      try PageSite(report).text("index.html").contains(
        #"<td class="by-whom">possibly <span class="who">Noor</span> <small>\#(reason)</small></td>"#))
    report.integration.issues[index].suspects[0].file = "Sources/Greeter/Greeter.swift"
    let path = #"title="Sources/Greeter/Greeter.swift">changed "#
    let file = #"\#(path)<a href="coverage/Sources-Greeter-Greeter.swift.html">Greeter.swift in 2dbc891</a>"#
    let site = try PageSite(report)
    #expect(site.text("index.html").contains("<small \(file)</small>"))
    #expect(site.text("tests.html").contains(" · <span \(file)</span>"))
    #expect(site.text("issues/t-4c81.html").contains(#"</span><span class="dim">changed Greeter.swift</span>"#))
    let record = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issueRecords[record].suspectedHunk = SourceHunk(
      file: "Sources/Greeter/Greeter.swift", lines: [.init(number: 3, text: "let a = 2", change: .added)])
    let quoting = try PageSite(report)
    let cause = #"<a href="issues/t-4c81.html#cause">Greeter.swift in 2dbc891</a>"#
    #expect(quoting.text("index.html").contains(cause) && quoting.text("tests.html").contains(cause))
    #expect(quoting.text("issues/t-4c81.html").contains(#"id="cause""#))
  }

  @Test("What a commit changed is known by its file where no line is", arguments: [true, false])
  func suspectedFile(isLine: Bool) {
    let place = Model.SourceLocation(file: "Sources/Greeter/Greeter.swift", line: 3)
    let clue: Suspicion.Clue = isLine ? .sourceLine(place) : .testedFile(place.file)
    let suspect = Suspect(Suspicion(GreeterSample.integration().commit, clue, [], .medium))
    #expect(suspect.place == (isLine ? place : nil))
    #expect(suspect.file == (isLine ? nil : place.file))
  }

  @Test("The list names the changed line beside who changed it, unless that is the issue's own")
  func changedLine() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    let own = try #require(report.integration.issues[index].location)
    func isNamed(_ line: Int) throws -> Bool {
      report.integration.issues[index].suspects = [
        Suspect(
          name: "Ada", email: "", confidence: .high, reason: "",
          place: Model.SourceLocation(file: own.file, line: line))
      ]
      let list = try PageSite(report).text("issues.html")
      #expect(list.contains(#"probably <span class="who">Ada</span>"#))
      let name = String(decoding: SafeHTML.name("\(own.fileName):\(line)").bytes, as: UTF8.self)
      return list.contains(">\(name)</a></small>") || list.contains("<small>\(name)</small>")
    }
    #expect(try isNamed(own.line + 1))
    #expect(try !isNamed(own.line))
  }
}
