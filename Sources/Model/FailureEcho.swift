/// Lines that say only that a command failed, such as `emit-module command failed with exit code 1`.
///
/// They matter only if nothing else gives a reason. The same is true of `cancelled`, which the native build system
/// reports for a command that it stopped because another one failed.
package enum FailureEcho {
  /// Returns the diagnostics without echoes, unless there is no other error.
  package static func removed(from diagnostics: [Diagnostic]) -> [Diagnostic] {
    guard diagnostics.contains(where: { $0.severity == .error && !isEcho($0) }) else { return diagnostics }
    return diagnostics.filter { !isEcho($0) }
  }

  /// Returns whether the message is Swift Build's report of a failed command, which is followed by the command in lines
  /// of thousands of letters.
  package static func endsCommand(_ message: some StringProtocol) -> Bool {
    message.hasSuffix(" failed with a nonzero exit code")
  }

  /// - Parameter message: the text after `error: ` of an error without a location.
  package static func isEcho(_ message: some StringProtocol) -> Bool {
    message == "fatalError" || message == "cancelled" || message.hasPrefix("terminated(")
      || message.contains("command failed with exit code") || endsCommand(message)
      || message == "Build failed" || message == "Invalid manifest" || message.hasSuffix("': Invalid manifest")
  }

  private static func isEcho(_ diagnostic: Diagnostic) -> Bool {
    diagnostic.severity == .error && diagnostic.location == nil && isEcho(diagnostic.message)
  }
}
