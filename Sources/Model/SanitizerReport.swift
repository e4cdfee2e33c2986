/// What a sanitizer in a test process found.
package struct SanitizerReport: Hashable, Sendable, Codable {
  /// Such as `AddressSanitizer`.
  package var sanitizer: String
  /// What it calls the problem, such as `heap-buffer-overflow`.
  package var problem: String
  /// What was done to the memory, such as `READ of size 4`; absent where it does not say.
  package var access: String?
  /// The call that it is about, then others that have to do with it, under the sanitizer's own headings.
  package var stacks: [ThreadStack]
  /// The line with which the report began.
  package var headline: String
  /// Whether it ended the process.
  package var isFatal: Bool

  package init(
    sanitizer: String, problem: String, access: String? = nil, stacks: [ThreadStack] = [], headline: String,
    isFatal: Bool
  ) {
    self.sanitizer = sanitizer
    self.problem = problem
    self.access = access
    self.stacks = stacks
    self.headline = headline
    self.isFatal = isFatal
  }

  /// The finding in one line.
  package var message: String { "\(sanitizer): \(problem)\(access.map { ", \($0)" } ?? "")" }

  /// The innermost call in a source of the package, of the first stack that has one.
  package var location: SourceLocation? { stacks.lazy.compactMap(\.firstOwn).first?.location }

  /// The finding in one line that tells it from others like it: with the innermost call where none is in the package.
  package var placedMessage: String {
    guard location == nil, let function = stacks.lazy.compactMap(\.frames.first?.function).first, !function.isEmpty
    else { return message }
    return "\(message), in \(function)"
  }

  /// The finding with the package's own calls under it.
  package var story: String {
    let calls = stacks.flatMap { stack in
      let own = stack.frames.filter(\.isOwn).prefix(5)
      return own.isEmpty
        ? []
        : [stack.name].compactMap(\.self)
          + own.map { "  \($0.function)\($0.location.map { " at \($0)" } ?? "")" }
    }
    return ([message] + calls).joined(separator: "\n")
  }

  /// Whether a failure of a test is this very finding.
  func isTold(by failure: TestFailure) -> Bool {
    failure.message == story || failure.message == CrashReport.message(message)
  }
}

extension TestResult {
  /// Whether it would not be red without what a sanitizer found.
  package var isRedBySanitizerAlone: Bool {
    state.isRed && !sanitizerReports.isEmpty
      && failures.allSatisfy { failure in
        sanitizerReports.contains { $0.isTold(by: failure) }
      }
  }
}
