import Model

/// The output of a test, as shown on a page.
struct TranscriptSection {
  /// The longest transcript that is shown beside its test; a longer one is on the test's own page.
  static let longestInline = (lines: 12, bytes: 2000)
  /// The limit of a page; the rest is in the log.
  private static let most = (lines: 5000, bytes: 400_000)

  private let lines: [TranscriptLine]

  /// Takes the lines without the blank ones at both ends.
  init(_ lines: [TranscriptLine]) {
    guard let first = lines.firstIndex(where: { !$0.isBlank }), let last = lines.lastIndex(where: { !$0.isBlank })
    else {
      self.lines = []
      return
    }
    self.lines = Array(lines[first...last])
  }

  var isShort: Bool {
    lines.count <= Self.longestInline.lines
      && lines.reduce(0) { $0 + $1.text.utf8.count } <= Self.longestInline.bytes
  }

  /// Whether the test or what it ran printed anything; what the library reports of a test's beginning, failures and end
  /// is on the page already.
  var saysMore: Bool { lines.contains(where: \.isPrinted) }

  /// Whether each line of it is one of these failures, or the last words of the process.
  func repeats(_ failures: [TestFailure], _ crash: CrashReport? = nil) -> Bool {
    let told = Set(
      failures.flatMap { failure in
        ((failure.location.map { "\($0): " } ?? "") + failure.message).split(separator: "\n")
      })
    let death = Set(
      crash.flatMap { crash in crash.statedPlace.map { "\($0): \(crash.reason)".split(separator: "\n") } } ?? [])
    return lines.allSatisfy { line in
      line.isBlank || line.kind == .failure && told.contains(line.text[...])
        || line.kind == .output && death.contains(line.text[...])
    }
  }

  /// How many lines were printed, and how many are reports of the library, which are not the lines that it prints.
  var words: String {
    let printed = lines.count(where: \.isPrinted)
    let reported = lines.count { $0.kind != .output }
    if printed == 0 { return "\(CountText.counted(reported, "line")) reported" }
    return "\(CountText.counted(printed, "line")) printed"
      + (reported == 0 ? "" : ", \(CountText.plain(reported)) reported")
  }

  /// Returns whether it is folded away on the page of a test: what only the library reported, and the long report of a
  /// sanitizer, which the failure has in short.
  private func isFolded(on test: TestResult?) -> Bool {
    !saysMore || !isShort && test?.isRedBySanitizerAlone == true
  }

  /// The first lines; those that are alike and follow on one another are one, with their number.
  private var runs: [(line: TranscriptLine, count: Int)] {
    var runs: [(line: TranscriptLine, count: Int)] = []
    for line in lines.prefix(Self.most.lines) {
      if let last = runs.indices.last, runs[last].line == line, !line.isBlank {
        runs[last].count += 1
      } else {
        runs.append((line, 1))
      }
    }
    return runs
  }

  /// Missing if nothing was printed or reported.
  var record: TemplateValue { record(of: nil) }

  /// Returns the same for the page of a test.
  func record(of test: TestResult?) -> TemplateValue {
    guard !lines.isEmpty else { return .missing }
    var (bytes, told) = (0, 0)
    var shown: [TemplateValue] = []
    for (line, count) in runs where bytes < Self.most.bytes {
      let text = line.text.utf8.count > 64_000 ? String(line.text.prefix(16_000)) + " …" : line.text
      bytes += text.utf8.count
      told += count
      shown.append(
        .record([
          "text": .shown(text), "isEvent": .flag(line.kind == .event), "isFailure": .flag(line.kind == .failure),
          "isShared": .flag(line.isShared), "times": .optional(count > 1 ? CountText.counted(count, "time") : nil),
        ]))
    }
    let left = lines.count - told
    return .record([
      "count": .text(CountText.counted(lines.count, "line")), "words": .text(words),
      "lines": .list(shown),
      "left": left > 0 ? .text(CountText.counted(left, "more line")) : .missing,
      "saysMore": .flag(saysMore), "isFolded": .flag(isFolded(on: test)), "isShort": .flag(isShort),
      "hasShared": .flag(lines.contains(where: \.isShared)),
    ])
  }
}

extension TranscriptLine {
  fileprivate var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
  /// Whether it has something that was printed, rather than reported by the library.
  var isPrinted: Bool { kind == .output && !isBlank }
}
