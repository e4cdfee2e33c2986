import Model
import Testing

@testable import Rendering

@Suite("The page of a log")
struct LogPageTests {
  private func page(_ log: String, _ change: (inout Integration) -> Void = { _ in }) throws -> String {
    var report = GreeterSample.red
    report.logs = [Report.Log(step: .testing, bytes: Array(log.utf8), folder: "/srv/w/main/checkout")]
    change(&report.integration)
    return try PageSite(report).text("log/testing.html")
  }

  @Test("A command stays in sight and says its programs without the folders of the workspace, and no other line does")
  func commands() throws {
    let passed = (1...80).map { "✔ Test t\($0)() passed after 0.001 seconds.\n" }.joined()
    let log =
      "$ /srv/w/main/build/root/debug/Tests.xctest --filter ^T/ --cache /srv/w/main2/cache\n\(passed)/srv/w/main/build/x\n"
    let text = try page(log)
    #expect(
      text.contains(
        ##"<li class="command" id="L1"><a href="#L1">1</a><span>$ Tests.xctest --filter ^T/ --cache /srv/w/main2/cache</span></li>"##
      ))
    #expect(text.contains("<summary>80 lines</summary>"))
    #expect(text.contains("<span>/srv/w/main/build/x</span>"))
  }

  @Test(
    "The line on which a test began that crashed or took too long is open and has a link, unless others have its name")
  func unended() throws {
    let passed = (1...80).map { "✔ Test t\($0)() passed after 0.001 seconds.\n" }.joined()
    func text(_ tests: [TestID]) throws -> String {
      try page("\(passed)◇ Test waits() started.\n\(passed)") {
        $0.tests.results = tests.map { TestResult(id: $0, library: .swiftTesting, state: .timedOut, duration: 8) }
      }
    }
    let waits = TestID(module: "M", suite: "S", name: "waits()")
    #expect(try text([waits]).contains(##"<a href="#L81">Line 81</a> <code>waits() timed out</code>"##))
    #expect(try text([waits]).ranges(of: "<summary>80 lines</summary>").count == 2)
    let other = TestID(module: "M", suite: "Other", name: "waits()")
    #expect(try !text([waits, other]).contains("Line 81"))
  }

  @Test("The command for a log names the destination that the report is of")
  func destination() throws {
    let text = try page("$ x\n") {
      var release = Destination()
      release.name = "release"
      $0.destination = DestinationResult(release, leads: false, outcome: .testFailures)
    }
    #expect(text.contains("<code>martlet log Greeter/42:release testing</code>"))
  }
}
