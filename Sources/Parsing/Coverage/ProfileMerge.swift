/// Which raw profiles `llvm-profdata merge --failure-mode=all` took.
package struct ProfileMerge: Hashable, Sendable {
  /// One raw profile that was handed to the tool.
  package struct Input: Hashable, Sendable {
    /// As it stood on the command line.
    package var path: String
    package var byteCount: Int

    package init(path: String, byteCount: Int) {
      self.path = path
      self.byteCount = byteCount
    }
  }

  /// A raw profile whose counters are not in the result.
  package struct Rejection: Hashable, Sendable {
    package var path: String
    package var reason: String
  }

  /// How many profiles were merged.
  package var read: Int
  /// In the order of the inputs.
  package var rejected: [Rejection]

  /// Reads the warnings that the tool left on standard error.
  ///
  /// The tool passes over empty files in silence; here they are rejected, since the process that should have filled
  /// one left no counters.
  package init(standardError: [UInt8], inputs: [Input]) {
    var reasons: [String: String] = [:]
    for line in standardError.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line, as: UTF8.self)
      guard let input = inputs.filter({ Self.message(in: text, about: $0.path) != nil }).max(by: Self.isShorter),
        let message = Self.message(in: text, about: input.path), !Self.isAboutFunction(message)
      else { continue }
      reasons[input.path] = reasons[input.path] ?? message
    }
    rejected = inputs.compactMap { input in
      let reason = reasons[input.path] ?? (input.byteCount == 0 ? "the file is empty" : nil)
      return reason.map { Rejection(path: input.path, reason: $0) }
    }
    read = inputs.count - rejected.count
  }

  /// What a line such as `warning: a.profraw: truncated profile data` says about a file; nil when it is about another.
  private static func message(in line: String, about path: String) -> String? {
    for prefix in ["warning: \(path): ", "error: \(path): "] where line.utf8.starts(with: prefix.utf8) {
      return String(line.dropFirst(prefix.count))
    }
    return nil
  }

  private static func isShorter(_ one: Input, _ other: Input) -> Bool {
    one.path.utf8.count < other.path.utf8.count
  }

  /// Whether the tool only left out a function and took the rest of the file
  /// (`InstrProfError` in https://github.com/llvm/llvm-project/blob/main/llvm/lib/ProfileData/InstrProf.cpp).
  private static func isAboutFunction(_ message: String) -> Bool {
    ["(hash mismatch)", "(counter mismatch)", "counter overflow"].contains { message.hasSuffix($0) }
  }
}
