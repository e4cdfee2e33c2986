import FoundationEssentials
import Glibc
import Model
import Testing

@testable import Serving

@Suite("What is told while it happens")
struct LiveTests {
  private let served: ServedHome

  init() throws { served = try ServedHome() }

  /// A clock that a test sets.
  private final class Hand {
    var time = 0.0
  }

  private func text(_ piece: Piece) -> String? {
    if case .bytes(let bytes) = piece { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  @Test("Who begins to follow is told how things stand, then only what changes, and now and then that nothing did")
  func events() throws {
    let hand = Hand()
    served.site.steadyClock = { hand.time }
    guard case .stream(let pieces) = try served.get("/events").body else {
      Issue.record("no stream")
      return
    }
    let first = try #require(text(pieces.next(atMost: 9)))
    let queue = #"{"isWatching":false,"running":[],"waiting":[],"waitingCount":0}"#
    #expect(first.wholeMatch(of: /event: queue\ndata: (.*)\n\nevent: pages\ndata: [-0-9]+\n\n/)?.1 == queue[...])
    #expect(pieces.next(atMost: 9) == .nothingYet)
    hand.time = 0.1
    #expect(pieces.next(atMost: 9) == .nothingYet)
    for name in ["index", "machines"] {
      try served.write("new", to: "site/\(name).html.new")
      rename("\(served.path)/site/\(name).html.new", "\(served.path)/site/\(name).html")
      #expect(pieces.next(atMost: 9) == .nothingYet)
      hand.time += 0.1
      #expect(text(pieces.next(atMost: 9))?.wholeMatch(of: /event: pages\ndata: [-0-9]+\n\n/) != nil)
    }
    let entry = WatchState.Entry(
      bot: "b\n\nevent: x", branch: nil, commit: CommitID(rawValue: "c"), cause: .commit, since: ServedHome.date)
    try served.tell(WatchState(asOf: ServedHome.date, waiting: [entry]))
    hand.time = 0.4
    let told = try #require(text(pieces.next(atMost: 9)))
    #expect(told.hasPrefix("event: queue\ndata: {\"asOf\":"))
    #expect(told.contains(#""bot":"b\n\nevent: x""#))
    #expect(told.filter { $0 == "\n" }.count == 3)
    hand.time = 16
    #expect(text(pieces.next(atMost: 9)) == ":\n\n")
  }

  @Test(
    "While an integration tests, who follows is told how far it is, in words and figures; another step's is not told")
  func tests() throws {
    let entry = WatchState.Entry(
      bot: "Greeter", number: 9, branch: "main", commit: CommitID(rawValue: "c"), cause: .commit,
      since: ServedHome.date,
      step: .testing)
    let progress = WatchProgress([
      WatchProgress.Entry(bot: "Greeter", number: 9, tests: RunningTests(ended: 12, red: 1, running: "A.b()"))
    ])
    let answer = QueueAnswer.Entry(entry, tests: progress.tests(of: entry))
    #expect(answer.words == "Testing: 12 tests done, 1 red, now A.b()")
    #expect(answer.log == "/log/Greeter/9/testing")
    var later = entry
    later.step = .archiving
    #expect(progress.tests(of: later) == nil)
    #expect(QueueAnswer.Entry(later, tests: nil).words == "Archiving")
    let hand = Hand()
    served.site.steadyClock = { hand.time }
    try served.tell(WatchState(asOf: ServedHome.date, running: [entry]))
    guard case .stream(let pieces) = try served.get("/events").body else {
      Issue.record("no stream")
      return
    }
    _ = pieces.next(atMost: 9)
    // The home of this test has no watcher, so that the change of the file alone is seen to be looked at.
    try served.write(String(decoding: JSONEncoder().encode(progress), as: UTF8.self), to: WatchProgress.fileName)
    #expect(served.site.overviews.progress == progress)
  }

  @Test("Two who follow are told the same, and one who comes later how things stand then")
  func two() throws {
    let hand = Hand()
    served.site.steadyClock = { hand.time }
    guard case .stream(let one) = try served.get("/events").body,
      case .stream(let other) = try served.get("/events").body
    else {
      Issue.record("no stream")
      return
    }
    let first = text(one.next(atMost: 9))
    #expect(first != nil)
    #expect(text(other.next(atMost: 9)) == first)
  }

  @Test("A log goes on from where its reader was, until the integration is over")
  func log() throws {
    try served.write("one\n", to: "integrations/Greeter/9/log/building.log")
    guard case .stream(let pieces) = try served.get("/log/Greeter/9/building?from=2").body else {
      Issue.record("no stream")
      return
    }
    #expect(text(pieces.next(atMost: 9)) == "e\n")
    #expect(pieces.next(atMost: 9) == .nothingYet)
    try served.append("two\n", to: "integrations/Greeter/9/log/building.log")
    #expect(text(pieces.next(atMost: 3)) == "two")
    #expect(text(pieces.next(atMost: 3)) == "\n")
    try served.append("end", to: "integrations/Greeter/9/log/building.log")
    try served.write("{}", to: "integrations/Greeter/9/integration.json")
    #expect(text(pieces.next(atMost: 9)) == "end")
    #expect(pieces.next(atMost: 9) == .end)
    #expect(try served.text("/log/Greeter/9/building") == "one\ntwo\nend")
    #expect(try served.get("/log/Greeter/9/testing").status == 404)
  }

  @Test("A part of a log that grows is sent as far as it is there, and one that ends later as it comes")
  func ranges() throws {
    let (path, log) = ("/log/Greeter/9/building", "integrations/Greeter/9/log/building.log")
    try served.write("0123456789", to: log)
    let part = try served.get(path, [("Range", "bytes=2-4")])
    #expect(part.status == 206)
    #expect(part.header("Content-Range") == "bytes 2-4/*")
    #expect(part.length == 3)
    #expect(part.wholeBody == Array("234".utf8))
    let last = try served.get(path, [("Range", "bytes=-3")])
    #expect(last.header("Content-Range") == "bytes 7-9/*")
    #expect(last.wholeBody == Array("789".utf8))
    let (rest, some) = (
      try served.get(path, [("Range", "bytes=10-")]), try served.get(path, [("Range", "bytes=8-11")])
    )
    #expect(rest.status == 206)
    #expect(rest.header("Content-Range") == "bytes 10-9007199254740991/*")
    guard case .stream(let following) = rest.body, case .stream(let ending) = some.body else {
      Issue.record("no stream")
      return
    }
    #expect(following.next(atMost: 9) == .nothingYet)
    #expect(text(ending.next(atMost: 9)) == "89")
    try served.append("abcdef", to: log)
    #expect(text(following.next(atMost: 9)) == "abcdef")
    #expect(text(ending.next(atMost: 9)) == "ab")
    #expect(ending.next(atMost: 9) == .end)
    let behind = try served.get(path, [("Range", "bytes=17-")])
    #expect(behind.status == 416)
    #expect(behind.header("Content-Range") == "bytes */16")
    #expect(
      text(.bytes(behind.wholeBody))
        == "{\"detail\":\"The log has 16 bytes so far.\",\"status\":416,\"title\":\"Range Not Satisfiable\",\"type\":\"about:blank\"}\n"
    )
    let whole = try served.get(path, [("Range", "bytes=2-4"), ("If-Range", "\"a\"")])
    #expect(whole.status == 200)
    #expect(whole.header("Accept-Ranges") == "bytes")
    try served.write("{}", to: "integrations/Greeter/9/integration.json")
    #expect(text(following.next(atMost: 9)) == nil && following.next(atMost: 9) == .end)
  }

  @Test("A browser gets a log that grows as a page with what there is, and its script the rest, in whole lines")
  func logPage() throws {
    let (path, log) = ("/log/Greeter/9/building", "integrations/Greeter/9/log/building.log")
    try served.write("one <b>\ntw", to: log)
    let page = try served.text(path, [("Accept", "text/html")])
    #expect(
      page.contains("<pre class=log data-from=\"8\">\none &lt;b&gt;\n</pre>\n<script src=/martlet.js></script>\n"))
    let events = [("Accept", "text/event-stream")]
    guard case .stream(let pieces) = try served.get("\(path)?from=8", events).body else {
      Issue.record("no stream")
      return
    }
    var time = 0.0
    served.site.steadyClock = { time }
    #expect(pieces.next(atMost: 9) == .nothingYet)
    try served.append("o\r\nthree\nfo", to: log)
    #expect(text(pieces.next(atMost: 9)) == "id: 19\ndata: two\ndata: three\n\n")
    #expect(pieces.next(atMost: 9) == .nothingYet)
    guard case .stream(let again) = try served.get("\(path)?from=8", events + [("Last-Event-ID", "13")]).body else {
      Issue.record("no stream")
      return
    }
    try served.append("ur\r\nend", to: log)
    try served.write("{}", to: "integrations/Greeter/9/integration.json")
    time = 1
    #expect(text(again.next(atMost: 9)) == "id: 25\ndata: three\ndata: four\n\n")
    #expect(text(again.next(atMost: 9)) == "id: 28\ndata: end\n\n")
    #expect(text(again.next(atMost: 9)) == "event: over\ndata: /Greeter/9/index.html\n\n")
    #expect(again.next(atMost: 9) == .end)
  }

  @Test("A line without an end is cut between characters")
  func longLine() throws {
    let (path, log) = ("/log/Greeter/9/building", "integrations/Greeter/9/log/building.log")
    try served.write("a" + String(repeating: "ä", count: LogEvents.most), to: log)
    guard case .stream(let pieces) = try served.get(path, [("Accept", "text/event-stream")]).body else {
      Issue.record("no stream")
      return
    }
    let half = String(repeating: "ä", count: LogEvents.most / 2 - 1)
    #expect(text(pieces.next(atMost: 9)) == "id: \(LogEvents.most - 1)\ndata: a\(half)\n\n")
  }

  @Test("A page of a bot that is called as an endpoint begins is a page")
  func names() throws {
    #expect(try served.get("/log/1/7/testing").status == 404)
    try served.write("a page", to: "site/log/1/7/testing")
    #expect(try served.text("/log/1/7/testing") == "a page")
  }
}
