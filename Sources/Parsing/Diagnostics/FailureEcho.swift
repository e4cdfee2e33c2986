import Model

/// Lines that say no more than that a command failed, such as `emit-module command failed with exit code 1`.
///
/// They matter only if nothing says why. So does `cancelled`, which native says of a command that it stopped because another
/// one had failed.
enum FailureEcho {
  /// The diagnostics without echoes, unless there is no other error.
  static func removed(from diagnostics: [Diagnostic]) -> [Diagnostic] {
    guard diagnostics.contains(where: { $0.severity == .error && !isEcho($0) }) else { return diagnostics }
    return diagnostics.filter { !isEcho($0) }
  }

  /// Whether Swift Build says that a command failed; the command follows, in lines of thousands of letters.
  static func endsCommand(_ message: String) -> Bool { message.hasSuffix(" failed with a nonzero exit code") }

  private static func isEcho(_ diagnostic: Diagnostic) -> Bool {
    guard diagnostic.severity == .error, diagnostic.location == nil else { return false }
    let message = diagnostic.message
    return message == "fatalError" || message == "cancelled" || message.hasPrefix("terminated(")
      || message.contains("command failed with exit code") || endsCommand(message) || message == "Build failed"
      || message == "Invalid manifest" || message.hasSuffix("': Invalid manifest")
  }
}
