import Model

/// What a sanitizer reported, with the package's own calls and links to their places.
struct SanitizerSection {
  let found: SanitizerReport
  let test: TestResult
  let sources: ShownSources

  /// The heading of a page tells a race if its test failed by nothing else.
  private var isTold: Bool { found.isRace && test.isRedBySanitizerAlone }

  /// The values of the template `sanitizer`.
  var record: TemplateValue {
    let calls = found.ownCalls.flatMap { own -> [TemplateValue] in
      own.headings.map { line($0) } + own.calls.map { line($0) }
    }
    let head = isTold && !calls.isEmpty ? [] : [line(found.message)]
    return .record(["lines": .list(head + calls)])
  }

  private func line(_ words: String) -> TemplateValue {
    .record(["words": .shown(words), "place": .missing, "placeLink": .missing])
  }

  private func line(_ call: StackFrame) -> TemplateValue {
    .record([
      "words": .shown("  \(call.function)\(call.location == nil ? call.file.map { " in \($0)" } ?? "" : " at ")"),
      "place": call.location.map { .name($0.description) } ?? .missing,
      "placeLink": .optional(call.location.flatMap { sources.link(to: $0.file, line: $0.line) }.map { "../\($0)" }),
    ])
  }
}
