/// A finding of a sanitizer in a test process.
package struct SanitizerReport: Hashable, Sendable {
  /// The name of the sanitizer, such as `AddressSanitizer`.
  package var sanitizer: String
  /// The sanitizer's name for the problem, such as `heap-buffer-overflow`.
  package var problem: String
  /// The access to memory, such as `READ of size 4`; absent if the sanitizer does not report it.
  package var access: String?
  /// The stack of the problem, followed by related ones, under the sanitizer's own headings.
  package var stacks: [ThreadStack]
  /// The first line of the report.
  package var headline: String
  /// Whether the finding ended the process.
  package var isFatal: Bool

  package init(
    sanitizer: String, problem: String, stacks: [ThreadStack] = [], headline: String,
    isFatal: Bool
  ) {
    self.sanitizer = sanitizer
    self.problem = problem
    self.stacks = stacks
    self.headline = headline
    self.isFatal = isFatal
  }

  /// Parses the first line of a report, such as `==3==ERROR: AddressSanitizer: heap-buffer-overflow on address …` or
  /// `WARNING: ThreadSanitizer: data race (pid=3)`; nil for any other line.
  package init?(headline: String) {
    for (mark, isFatal) in [("ERROR: ", true), ("WARNING: ", false)] {
      guard let range = headline.firstRange(ofASCII: mark),
        headline[..<range.lowerBound].allSatisfy({ $0 == "=" || $0.isNumber })
      else { continue }
      let parts = headline[range.upperBound...].split(separator: ": ", maxSplits: 1)
      guard parts.count == 2, parts[0].hasSuffix("Sanitizer"), !parts[0].contains(" ") else { continue }
      let problem = String(parts[1])
      let end = [" on address", " on unknown address", " on 0x", " (pid="].compactMap {
        problem.firstRange(ofASCII: $0)?.lowerBound
      }.min()
      self.init(
        sanitizer: String(parts[0]), problem: String(problem[..<(end ?? problem.endIndex)]), headline: headline,
        isFatal: isFatal)
      return
    }
    return nil
  }

  /// The finding in one line.
  package var message: String { "\(sanitizer): \(problem)\(access.map { ", \($0)" } ?? "")" }

  /// The innermost call in a source of the package, from the first stack that has one; of a race, the first access whose
  /// line is known, as its caller's is none.
  package var location: SourceLocation? {
    isRace ? accesses.first : stacks.lazy.compactMap(\.firstOwn).first?.location
  }

  /// The innermost calls in sources of the package on the first two stacks: the access that the report is about, and the one
  /// that it races with, or that freed the memory. One without a line has no place.
  package var accesses: [SourceLocation] {
    stacks.prefix(2).compactMap { stack in stack.frames.first(where: \.isInPackage)?.location }
  }

  /// Whether two accesses race, so that either of them may be the one that is wrong.
  package var isRace: Bool { sanitizer == "ThreadSanitizer" && problem.hasSuffix("race") && stacks.count >= 2 }

  /// The finding in one line, made distinguishable by the innermost call if none is in the package.
  package var placedMessage: String {
    guard location == nil, let function = stacks.lazy.compactMap(\.frames.first?.function).first, !function.isEmpty
    else { return message }
    return "\(message), in \(function)"
  }

  /// Returns whether this tells nothing that the other one does not.
  ///
  /// ThreadSanitizer tells one race between two calls up to three times, as an access race and as reads and writes of the
  /// bytes; which of them it sees differs from run to run.
  package func isRepetition(of other: SanitizerReport) -> Bool {
    if placedMessage == other.placedMessage && location == other.location { return true }
    return racingCalls.map { $0 == other.racingCalls } ?? false
  }

  /// The functions on the stacks of the two accesses of a race; nil for other problems.
  private var racingCalls: Set<[String]>? {
    isRace ? Set(stacks.prefix(2).map { $0.frames.map(\.function) }) : nil
  }

  /// The package's own calls, for several stacks in a row that have the same only once.
  package struct OwnCalls {
    /// The sanitizer's headings of these stacks.
    package var headings: [String]
    package var calls: [StackFrame]
  }

  /// The first of the package's own calls on each stack that has some.
  package var ownCalls: [OwnCalls] {
    var all: [OwnCalls] = []
    for stack in stacks {
      let calls = Array(stack.frames.filter(\.isInPackage).prefix(5))
      guard !calls.isEmpty else { continue }
      if all.last?.calls != calls { all.append(OwnCalls(headings: [], calls: calls)) }
      all[all.count - 1].headings += [stack.name].compactMap(\.self)
    }
    return all
  }

  /// The finding, followed by the package's own calls.
  package var story: String {
    let lines = ownCalls.flatMap { own in
      own.headings
        + own.calls.map { "  \($0.function)\($0.location.map { " at \($0)" } ?? $0.file.map { " in \($0)" } ?? "")" }
    }
    return ([message] + lines).joined(separator: "\n")
  }

  /// Returns whether a test failed for it.
  package func isTold(by failure: TestFailure) -> Bool {
    failure.message == story || failure.message == CrashReport.message(message)
  }

  /// Returns whether an issue was found for it.
  package func isTold(by issue: Issue) -> Bool {
    issue.kind == .sanitizer && issue.location == location
      && [message, placedMessage].contains(issue.message)
  }
}

extension StackFrame {
  /// Whether the call is in a source of the package, even if its line is unknown.
  fileprivate var isInPackage: Bool { isOwn || file != nil }
}

extension [SanitizerReport] {
  /// Adds other findings, each only once.
  mutating func add(_ others: [SanitizerReport]) {
    for report in others where !contains(where: report.isRepetition) { append(report) }
  }
}

extension TestResult {
  /// Whether the test is red only because of sanitizer findings.
  package var isRedBySanitizerAlone: Bool {
    state.isRed && !sanitizerReports.isEmpty
      && failures.allSatisfy { failure in
        sanitizerReports.contains { $0.isTold(by: failure) }
      }
  }
}
