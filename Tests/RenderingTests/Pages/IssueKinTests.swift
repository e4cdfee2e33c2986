import Model
import Testing

@testable import Rendering

@Suite("What the page of an issue leads to beside its own history")
struct IssueKinTests {
  private let test = TestID(module: "M", suite: "S", name: "heats()")

  private func record(_ id: String, _ kind: Model.Issue.Kind, _ streak: IssueRecord.Streak) -> IssueRecord {
    IssueRecord(
      id: id, kind: kind, message: "Crashed: too hot", location: nil, test: test, age: 1, streaks: [streak])
  }

  @Test("A test that is red in another way leads from one issue to the other, which says no more of the end")
  func kin() throws {
    var report = GreeterSample.red
    let number = report.integration.number
    var crash = record("c-1", .crash, .init(opened: number - 1, lastSeen: number - 1, closed: number))
    crash.streaks[0].ending = .failsOtherwise
    let hang = record("h-1", .timeOut, .init(opened: number, lastSeen: number))
    report.integration.issueRecords = [crash, hang]
    var issue = Model.Issue(id: "h-1", kind: .timeOut, message: "Timed out: longer than 3 s", test: test)
    issue.status = .new
    report.integration.issues = [Model.Issue(crash), issue]
    let site = try PageSite(report)
    let page = site.text("issues/c-1.html")
    #expect(page.contains(#" crashed, <a href="../issues/h-1.html">timed out in \#(number)</a></h1>"#))
    #expect(page.contains(" crashed, timed out in \(number)") && page.contains(">test page in \(number - 1)</a>"))
    #expect(!page.contains("<span>failed in another way") && !page.contains("open for 1"))
    #expect(
      site.text("issues/h-1.html").contains(
        #"New</span><span><a href="../issues/c-1.html">crashed in \#(number - 1)</a></span>"#))
  }

  @Test("What took the place of an issue says where it was fixed")
  func fixedKin() throws {
    var report = GreeterSample.red
    let number = report.integration.number
    var crash = record("c-1", .crash, .init(opened: number - 2, lastSeen: number - 2, closed: number - 1))
    crash.streaks[0].ending = .failsOtherwise
    var hang = record("h-1", .timeOut, .init(opened: number - 1, lastSeen: number - 1, closed: number))
    hang.streaks[0].ending = .fixed
    report.integration.issueRecords = [crash, hang]
    report.integration.issues = [Model.Issue(crash), Model.Issue(hang)]
    #expect(
      try PageSite(report).text("issues/c-1.html").contains(">timed out in \(number - 1), fixed in \(number)</a></h1>"))
  }

  @Test("An error of a compiler that crashed tells what it was doing, and what an error of that line does")
  func log() throws {
    var report = GreeterSample.red
    let number = report.integration.number
    let message = "compile command failed due to signal 4"
    let place = Model.SourceLocation(file: "Sources/A/B.swift", line: 8, column: 5)
    report.sources[place.file] = Array(String(repeating: "let a = 1\n", count: 24).utf8)
    let dump = "7.\tWhile type-checking-target starting at \(place)\n"
    report.logs = [
      Report.Log(step: .building, bytes: Array("one\nerror: \(message) (use -v)\n\(dump)".utf8), folder: "")
    ]
    let suspect = Suspect(name: "Ada", email: "", confidence: .high, reason: "9f1c2ab changed line 8.")
    let others: [(id: String, message: String, location: Model.SourceLocation?)] = [
      ("e-1", message, nil), ("e-2", "no such type", place),
    ]
    report.integration.issues = others.map { id, message, location in
      var issue = Model.Issue(id: id, kind: .error, message: message, location: location)
      issue.suspects = location == nil ? [] : [suspect]
      return issue
    }
    report.integration.issueRecords = others.map { id, message, location in
      IssueRecord(
        id: id, kind: .error, message: message, location: location, test: nil, age: 0,
        streaks: [.init(opened: number, lastSeen: number)])
    }
    let site = try PageSite(report)
    let page = site.text("issues/e-1.html")
    #expect(page.contains("<h1>Compiler crashed while type-checking B.swift:8</h1>"))
    #expect(page.contains(##"<span class="screen"><a href="../log/building.html#L2">log</a></span>"##))
    #expect(page.contains(message) && page.contains("<b>Ada</b>") && page.contains(#"id="source""#))
    #expect(page.contains(#"<tr class="hot"><th class="ln" scope="row">8</th>"#))
    #expect(
      site.text("log/building.html").contains(
        /<span class="dim"><a href="[^"]+">type-checking B\.swift:8<\/a><\/span>/))
  }

  @Test("An error that is gone says so in the heading of its page, and nowhere else")
  func goneError() throws {
    var report = GreeterSample.green
    let number = report.integration.number
    var record = IssueRecord(
      id: "e-1", kind: .error, message: "no such type", location: nil, test: nil, age: 1,
      streaks: [.init(opened: number - 1, lastSeen: number - 1, closed: number)])
    record.streaks[0].ending = .fixed
    report.integration.issueRecords = [record]
    report.integration.issues = [Model.Issue(record)]
    let page = try PageSite(report).text("issues/e-1.html")
    #expect(page.contains("<h1>no such type, fixed in \(number)</h1>") && !page.contains("<span>fixed in"))
  }

  @Test("Of what a compiler was doing when it crashed, only what one word says is told")
  func deeds() {
    let place = Model.SourceLocation(file: "Sources/A/B.swift", line: 3)
    #expect(
      LogWords.crash(.init(word: "type-checking", place: place)) == "Compiler crashed while type-checking B.swift:3")
    #expect(LogWords.crash(.init(word: "running", place: place)) == "Compiler crashed at B.swift:3")
  }
}
