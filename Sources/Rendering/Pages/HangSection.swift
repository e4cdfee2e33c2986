import Model

/// The state of a test's process when its time ran out.
struct HangSection: ReportSection {
  /// The maximum number of threads that are shown; the rest are only counted.
  private static let mostThreads = 8

  let hang: HangReport
  let report: ReportContext

  /// Returns the line with what the test waits for, where and how long, or else with the limit that was reached.
  func headline(of test: TestResult, at place: SourceLocation?) -> TemplateValue {
    let inner = hang.threads.first?.frames.first(where: \.isOwn)
    // The heading has the test itself.
    let isOther = inner?.location?.short == place?.short && place?.file != test.location?.file
    return .record([
      // The call stands below, and is not in the file of the place.
      "reason": .shown((place == nil ? hang.explanation(of: test) : hang.reason(of: test)) ?? hang.limit(of: test)),
      "inside": .shown(ifAny: place != nil && isOther ? inner?.function : nil), "caller": .missing,
      "limit": hang.reason(of: test) == nil ? .missing : .shown(hang.rule + hang.extent(of: test)),
      "place": .place(place),
      "hasSource": .flag(place.flatMap { SourceExcerpt(of: $0, in: sources) } != nil),
    ])
  }

  /// Missing where there is no more to say than why the test waited.
  var record: TemplateValue {
    let left = hang.threads.count - Self.mostThreads
    guard hang.problem != nil || !hang.threads.isEmpty || !facts.isEmpty else { return .missing }
    return .record([
      "problem": .shown(ifAny: hang.problem),
      "threads": .list(
        hang.threads.prefix(Self.mostThreads).enumerated().map { index, thread in
          let name: [String: TemplateValue] = [
            "name": .text("Thread \(index + 1)"), "caption": .text("Calls of thread \(index + 1)"),
          ]
          let stack = StackRows(thread: thread, report: report, root: "../").table
          return .record(name.merging(stack) { own, _ in own })
        }),
      "moreThreads": left > 0 ? .text(CountText.counted(left, "more thread")) : .missing,
      "facts": .list(facts.map { .record(["name": .text($0.0), "value": .shown($0.1)]) }),
    ])
  }

  /// The calls of the first thread in the package's code; missing if there is none.
  var backtrace: TemplateValue {
    hang.threads.first { $0.firstOwn != nil }.map { thread in
      StackRows(thread: thread, report: report, root: "../").backtrace(
        "Calls of the thread that waits", "when its time ran out")
    } ?? .missing
  }

  private var facts: [(String, String)] {
    var facts: [(String, String)] = []
    // That no thread ran the package's code is its explanation.
    if hang.problem == nil, hang.kind != .suspended {
      let own = hang.threads.isEmpty ? "none" : CountText.plain(hang.threads.count)
      let all = CountText.plain(hang.threads.count + hang.otherThreads)
      facts.append(("Threads", "\(own) of \(all) in the package's code"))
    }
    if !hang.children.isEmpty { facts.append(("Children", CountText.list(hang.children))) }
    return facts
  }
}
