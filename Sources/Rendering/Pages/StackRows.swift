import Model

/// The calls of one thread as rows: calls in the package have their source lines, consecutive other calls share a row. Where no
/// line is known, those of the tests' program have rows, too.
struct StackRows: ReportSection {
  /// The maximum number of calls that are shown; the rest are only counted.
  private static let most = 64

  let thread: ThreadStack
  let report: ReportContext
  /// The path from the page to the top of the report.
  var root = ""

  /// The values of the template `stack`, which has no column for what is known of no call.
  var table: [String: TemplateValue] {
    let places = thread.frames.prefix(Self.most).compactMap(\.location)
    let hasSources = places.contains { sources[$0.file] != nil }
    return [
      "rows": records, "left": left, "hasPlaces": .flag(!places.isEmpty), "hasSources": .flag(hasSources),
      "span": .text("\(1 + (places.isEmpty ? 0 : 1) + (hasSources ? 1 : 0))"),
    ]
  }

  /// Returns the values of the template `backtrace`.
  ///
  /// - Parameters:
  ///   - caption: the caption of the table.
  ///   - words: what is said of the thread beside the heading.
  func backtrace(_ caption: String, _ words: String) -> TemplateValue {
    let own: [String: TemplateValue] = ["caption": .text(caption), "thread": .shown(words)]
    return .record(own.merging(table) { own, _ in own })
  }

  var records: TemplateValue {
    let shown = thread.frames.prefix(Self.most)
    var rows: [TemplateValue] = []
    var foreign: [StackFrame] = []
    for frame in shown {
      if frame.isOwn || hasNoLine && frame.isOfTests && frame.isWritten {
        rows += Self.folded(foreign)
        foreign = []
        rows.append(own(frame))
      } else {
        foreign.append(frame)
      }
    }
    rows += Self.folded(foreign)
    return .list(rows)
  }

  private var hasNoLine: Bool { thread.firstOwn == nil }

  /// The number of calls that are not shown.
  var left: TemplateValue {
    let left = thread.frames.count - Self.most
    return left > 0 ? .text(CountText.counted(left, "more call")) : .missing
  }

  private func own(_ frame: StackFrame) -> TemplateValue {
    let excerpt = frame.location.flatMap { SourceExcerpt(of: $0, in: sources) }
    return .record([
      "own": .record([
        "number": .text("\(frame.number)"),
        "function": .shown(frame.function),
        "place": .place(frame.location),
        "placeLink": .optional(frame.location.flatMap { sources.link(to: $0.file, line: $0.line) }.map { root + $0 }),
        "source": excerpt?.onlyLine ?? .missing,
      ]),
      "foreign": .missing,
    ])
  }

  private static func folded(_ frames: [StackFrame]) -> [TemplateValue] {
    guard let first = frames.first, let last = frames.last else { return [] }
    var images: [String] = []
    for image in frames.compactMap(\.image) where !images.contains(image) { images.append(image) }
    let named = images.prefix(3) + (images.count > 3 ? ["others"] : [])
    let home = images.isEmpty ? "" : " of \(CountText.list(Array(named)))"
    return [
      .record([
        "own": .missing,
        "foreign": .record([
          "numbers": .text(CountText.range(first.number, last.number)),
          "summary": .shown(CountText.counted(frames.count, "call") + home),
          "calls": .list(frames.map { .shown("\($0.number) \(String($0.function.prefix(400)))") }),
        ]),
      ])
    ]
  }
}

extension ReportContext {
  /// The maximum number of calls in a stack without a line of the package.
  private static let mostCalls = 12

  /// Returns the calls that led to the line on which a test died or hangs; only their names where a test died and none is in
  /// the package, and missing where it hangs so.
  ///
  /// - Parameter root: the path from the page to the top of the report.
  func stack(of test: TestResult, root: String = "") -> TemplateValue {
    if let thread = test.stacks.first(where: { $0.firstOwn != nil }) {
      let rows = StackRows(thread: thread, report: self, root: root)
      return .record(["rows": rows.records, "names": .list([]), "left": rows.left])
    }
    let calls = test.crash?.callNames ?? []
    guard !calls.isEmpty else { return .missing }
    let left = calls.count - Self.mostCalls
    return .record([
      "rows": .list([]), "names": .list(calls.prefix(Self.mostCalls).map { .shown($0) }),
      "left": left > 0 ? .text(CountText.counted(left, "more call")) : .missing,
    ])
  }
}
