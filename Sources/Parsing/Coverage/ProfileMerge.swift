/// The raw profiles that `llvm-profdata merge --failure-mode=all` accepted and rejected.
package struct ProfileMerge: Hashable, Sendable {
  /// A raw profile that was passed to the tool.
  package struct Input: Hashable, Sendable {
    /// The path as on the command line.
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

  /// The number of profiles that were merged.
  package var read: Int
  /// The rejected profiles, in the order of the inputs.
  package var rejected: [Rejection]

  /// Reads the warnings that the tool wrote to standard error.
  ///
  /// The tool silently skips empty files; they are rejected here, because the process that should have filled such a
  /// file left no counters.
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

  /// Returns the message in a line such as `warning: a.profraw: truncated profile data`; nil if it concerns another
  /// file.
  private static func message(in line: String, about path: String) -> String? {
    for prefix in ["warning: \(path): ", "error: \(path): "] where line.utf8.starts(with: prefix.utf8) {
      return String(line.dropFirst(prefix.count))
    }
    return nil
  }

  private static func isShorter(_ one: Input, _ other: Input) -> Bool {
    one.path.utf8.count < other.path.utf8.count
  }

  /// Whether the tool left out only a function and accepted the rest of the file
  /// (`InstrProfError` in https://github.com/llvm/llvm-project/blob/main/llvm/lib/ProfileData/InstrProf.cpp).
  private static func isAboutFunction(_ message: String) -> Bool {
    ["(hash mismatch)", "(counter mismatch)", "counter overflow"].contains { message.hasSuffix($0) }
  }
}
