/// Lines that say no more than that a command failed, such as `emit-module command failed with exit code 1`.
///
/// They matter only if nothing says why. So does `cancelled`, which native says of a command that it stopped because another
/// one had failed.
package enum FailureEcho {
  /// The diagnostics without echoes, unless there is no other error.
  package static func removed(from diagnostics: [Diagnostic]) -> [Diagnostic] {
    guard diagnostics.contains(where: { $0.severity == .error && !isEcho($0) }) else { return diagnostics }
    return diagnostics.filter { !isEcho($0) }
  }

  /// Whether Swift Build says that a command failed; the command follows, in lines of thousands of letters.
  package static func endsCommand(_ message: some StringProtocol) -> Bool {
    message.hasSuffix(" failed with a nonzero exit code")
  }

  /// - Parameter message: what follows `error: `, of an error without a place.
  package static func isEcho(_ message: some StringProtocol) -> Bool {
    message == "fatalError" || message == "cancelled" || message.hasPrefix("terminated(")
      || message.contains("command failed with exit code") || endsCommand(message)
      || message == "Build failed" || message == "Invalid manifest" || message.hasSuffix("': Invalid manifest")
  }

  private static func isEcho(_ diagnostic: Diagnostic) -> Bool {
    diagnostic.severity == .error && diagnostic.location == nil && isEcho(diagnostic.message)
  }
}
