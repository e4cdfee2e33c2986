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
    #expect(page.contains("crashed, failed in another way in \(number)</h1>"))
    #expect(page.contains(#"<span><a href="../issues/h-1.html">timed out in \#(number)</a></span>"#))
    #expect(!page.contains("<span>failed in another way") && !page.contains("open for 1"))
    #expect(
      site.text("issues/h-1.html").contains(
        #"New</span><span><a href="../issues/c-1.html">crashed in \#(number - 1)</a></span>"#))
  }

  @Test("An error without a place leads to its line in the log, and to what the compiler was doing when it crashed")
  func log() throws {
    var report = GreeterSample.red
    let number = report.integration.number
    let message = "compile command failed due to signal 4"
    let dump = "7.\tWhile type-checking-target starting at Sources/A/B.swift:18:5\n"
    report.logs = [
      Report.Log(step: .building, bytes: Array("one\nerror: \(message) (use -v)\n\(dump)".utf8), folder: "")
    ]
    report.integration.issueRecords = [
      IssueRecord(
        id: "e-1", kind: .error, message: message, location: nil, test: nil, age: 0,
        streaks: [.init(opened: number, lastSeen: number)])
    ]
    report.integration.issues = [Model.Issue(id: "e-1", kind: .error, message: message)]
    let page = try PageSite(report).text("issues/e-1.html")
    #expect(
      page.contains(
        ##"<span>type-checking B.swift:18</span><span class="screen"><a href="../log/building.html#L2">log</a></span>"##
      ))
  }
}
