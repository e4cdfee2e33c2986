import Testing

@testable import Model
@testable import Rendering

@Suite("The page of a test that measures, and of one that crashed")
struct MeasuredTestPageTests {
  private func page(_ report: Report, of test: String) throws -> String {
    let site = try PageSite(report)
    return site.text(try #require(site.order.first { $0.hasPrefix("tests/") && $0.contains(test) }))
  }

  @Test("What it measured is in its heading and above everything else, and each figure of the history once")
  func measured() throws {
    let text = try page(UnsteadySample.report, of: "isFast")
    let before = #"<span class="amber">was 70 µs in <a class="up" href="../../40/index.html">40</a></span>"#
    #expect(text.contains("<span>100 µs ±20%, \(before)</span><span>200 ms in all</span>"))
    #expect(text.contains(" passed, but its measured time is 43%&nbsp;slower</h1>"))
    #expect(text.contains(#"<svg class="plot" viewBox="-14 0 "#), "The axis has room for a figure with its unit.")
    #expect(text.contains(">0</text>") && !text.contains(">0 µs</text>"))
    let places = try ["h-measurements", "h-run"].map { id in
      try #require(text.firstRange(of: #"<h2 id="\#(id)""#)?.lowerBound)
    }
    #expect(places == places.sorted())
    #expect(text.contains("<h3>Time <span>80 µs to 120 µs in 3 repetitions</span></h3>"))
    #expect(!text.contains(#"<th scope="row">Time</th>"#))
    #expect(text.contains(#"<th scope="row">Memory</th>"#), "It has no history.")
    #expect(text.contains("<td>toolchain and &lt;environment.X&gt;</td>"))
    var report = UnsteadySample.report
    for index in report.integration.tests.results.indices {
      let test = report.integration.tests.results[index].id
      report.integration.trends[test] = report.integration.trends[test]?.map { trend in
        MeasurementTrend(
          metric: trend.metric, unit: trend.unit,
          points: trend.points.map { point in
            var point = point
            point.differing = []
            return point
          })
      }
    }
    #expect(try !page(report, of: "isFast").contains("Also changed"))
  }

  @Test("What became slower has a row below the verdict with a link to its test, unless tests are red")
  func worse() throws {
    var report = UnsteadySample.report
    let index = try PageSite(report).text("index.html")
    let table = try #require(
      index.split(separator: "</table>").first { $0.contains(#"<caption class="vh">Worse measured values</caption>"#) })
    #expect(table.contains("43% slower than in 40, ") && table.contains(" → 100 µs"))
    #expect(index.contains("1&nbsp;warning; 1&nbsp;measured time 43%&nbsp;slower; 3&nbsp;tests passed</h1>"))
    #expect(!table.contains("by-whom"), "Nobody is suspected.")
    #expect(table.contains(#"<a class="name" href="tests/"#) && !index.contains("worse measured values"))
    report.integration.outcome = .testFailures
    #expect(try !PageSite(report).text("index.html").contains("Worse measured values"))
  }

  @Test("Who made it slower stands beside it, and what they changed on the page of the test")
  func cause() throws {
    var report = UnsteadySample.report
    let test = try #require(report.integration.tests.results.first { !$0.measurements.isEmpty }).id
    let (commit, file) = (report.integration.commit, "Sources/Greeter/Pause.swift")
    let suspect = Suspect(
      name: commit.author, email: "", confidence: .high, reason: "it changed it.", commit: commit.id,
      summary: commit.summary, place: SourceLocation(file: file, line: 8))
    let hunk = SourceHunk(
      file: file,
      lines: [
        .init(number: 8, text: "let pause = 20", change: .removed),
        .init(number: 8, text: "let pause = 28", change: .added),
      ])
    report.integration.worseCauses = [test: WorseCause(suspect, hunk: hunk)]
    #expect(try PageSite(report).words("index.html").contains("probably mira changed Pause.swift:8"))
    let text = try page(report, of: "isFast")
    #expect(text.replacing(/<[^>]*>/, with: "").contains("probably mira, changed Pause.swift:8"))
    #expect(text.contains(#"<h2 id="h-suspected">What changed</h2>"#) && text.contains(#"<tr class="went">"#))
    #expect(text.contains(#"<a href="../index.html#commits">\#(commit.id.short)</a></span> \#(commit.summary)"#))
    report.integration.trends = [:]
    #expect(try !page(report, of: "isFast").contains("h-suspected"), "It did not become worse.")
  }

  @Test("Practice has the plot of each measured value, whatever is said of it")
  func plots() throws {
    var report = UnsteadySample.report
    for index in report.integration.practice?.hints[0].entries.indices ?? 0..<0 {
      report.integration.practice?.hints[0].entries[index].words = "told otherwise"
    }
    let practice = try #require(PageSite(report).text("index.html").split(separator: #"id="practice""#).last)
    #expect(practice.contains(#"<svg class="spark""#) && practice.contains("Time 100 µs ±20%, was 70 µs in 40"))
  }

  @Test("The runs of a test are folded away below what it measured in them")
  func history() throws {
    var report = UnsteadySample.report
    let test = try #require(report.integration.tests.results.first { !$0.measurements.isEmpty }).id
    report.integration.histories[test] = TestHistory(
      (0..<7).map { index in
        TestHistory.Moment(
          number: report.integration.number - index, commit: CommitID(rawValue: "\(index)"), branch: "main",
          toolchain: "t", verdict: TestVerdicts.Verdict(state: .passed, duration: 1, isFlaky: false))
      })
    func rows() throws -> [String] {
      let text = try page(report, of: "isFast")
      let section = try #require(text.split(separator: #"<section id="history""#).last)
      let parts = section.split(separator: #"<details class="out"><summary>"#)
      return parts.map { "\($0.ranges(of: #"<th scope="row">"#).count)" }
        + parts[1...].map { "\($0.prefix { $0 != "<" })" }
    }
    #expect(try rows() == ["0", "7", "All runs"])
    report.integration.trends = [:]
    #expect(try rows() == ["5", "2", "Older runs"])
  }

  @Test("Of a crash without a line of the package its own calls are not folded, and the signal is told once")
  func crashed() throws {
    var report = GreeterSample.red
    let index = try #require(report.integration.tests.results.firstIndex { $0.crash != nil })
    let frames = [
      ("_dispatch_semaphore_dispose", "libdispatch.so"), ("Door.deinit", "APackageTests.xctest"),
      ("Door.__deallocating_deinit", "APackageTests.xctest"), ("_swift_release_dealloc", "libswiftCore.so"),
      ("closure #1 in DoorTests.opens()", "APackageTests.xctest"),
      ("thunk for @escaping @callee_guaranteed () -> ()", "APackageTests.xctest"),
    ]
    let thread = ThreadStack(
      frames: frames.enumerated().map { StackFrame(number: $0, function: $1.0, image: $1.1) })
    let test = report.integration.tests.results[index].id
    report.integration.tests.results[index].crash = CrashReport(reason: "signal 4 (SIGILL)", signal: 4, thread: thread)
    report.integration.tests.results[index].failures = [.crash("signal 4 (SIGILL)", at: nil)]
    let issue = try #require(report.integration.issues.firstIndex { $0.test == test })
    report.integration.issues[issue].suspects = [
      Suspect(
        name: "Jon", email: "", confidence: .high, reason: "he changed it.", commit: CommitID(rawValue: "0123"),
        file: "Sources/Greeter/Door.swift")
    ]
    let text = try page(report, of: String(test.name.prefix { $0 != "(" }))
    #expect(
      text.contains(
        "<b>signal 4 (SIGILL)</b> in <code>_dispatch_semaphore_dispose</code>, called from <code>Door.deinit</code></p>"
      ))
    let own = text.matches(of: /<tr class="own">.*?<code>(.*?)<\/code>/).map { String($0.1) }
    #expect(own == ["Door.deinit", "closure #1 in DoorTests.opens()"])
    #expect(text.ranges(of: #"<tr class="sys">"#).count == 3)
    #expect(!text.contains("Ended by"))
    #expect(text.contains(#"<b class="who">Jon</b>, changed "#) && text.contains("Door.swift in 0123"))
    #expect(text.contains(#"<th scope="col">Function</th></tr>"#) && text.contains(#"<th scope="row" colspan="1">"#))
    #expect(!text.contains("h-suspected"), "Nothing is known of what changed there.")
    report.integration.issues[issue].suspects[0].summary = "Ring later"
    report.integration.issues[issue].end = "signal 4 (SIGILL)"
    let found = report.integration.issues[issue]
    var record = IssueRecord(
      id: found.id, kind: found.kind, message: found.message, location: found.location, test: test,
      streaks: [.init(opened: report.integration.number, lastSeen: report.integration.number)])
    record.suspectedHunk = SourceHunk(
      file: "Sources/Greeter/Door.swift",
      lines: [
        .init(number: 8, text: "bell.signal()", change: .removed), .init(number: 8, text: "}"),
        .init(number: 20, text: "var bells = 2", change: .added),
      ])
    report.integration.issueRecords = [record]
    let crash = try page(report, of: String(test.name.prefix { $0 != "(" }))
    #expect(crash.contains(#"<h2 id="h-suspected">What changed</h2>"#) && crash.contains(#"<tr class="went">"#))
    #expect(crash.contains(#"<th class="ln apart" scope="row"><ins aria-label="added">+</ins>20</th>"#))
    let cause = try PageSite(report).text("issues/\(found.id).html")
    #expect(cause.contains(#"<section id="cause""#) && cause.contains(#"<tr class="went">"#))
    #expect(!cause.contains(#"<span class="dim">changed Door.swift</span>"#), "The lines have the file.")
    #expect(cause.contains(#"<span class="dim">· in _dispatch_semaphore_dispose, called from Door.deinit</span>"#))
  }
}
