/// Lines that say only that a command failed, such as `emit-module command failed with exit code 1`.
///
/// They matter only if nothing else gives a reason. The same is true of `cancelled`, which the native build system
/// reports for a command that it stopped because another one failed.
package enum FailureEcho {
  /// Returns the diagnostics without echoes, unless nothing else gives a reason.
  ///
  /// - Parameter reason: what counts if there is no other error; nil if there is no such thing.
  package static func removed(from diagnostics: [Diagnostic], reason: Diagnostic? = nil) -> [Diagnostic] {
    let hasCause = diagnostics.contains { $0.severity == .error && !isEcho($0) }
    guard hasCause || reason != nil else { return diagnostics }
    return diagnostics.filter { !isEcho($0) } + (hasCause ? [] : [reason].compactMap(\.self))
  }

  /// Returns whether the message is Swift Build's report of a failed command, which is followed by the command in lines
  /// of thousands of letters.
  package static func endsCommand(_ message: some StringProtocol) -> Bool {
    message.hasSuffix(" failed with a nonzero exit code")
  }

  /// What stands before the number of the signal that ended a command.
  package static let signalMark: StaticString = " command failed due to signal "

  /// Returns the signal that ended a command, as `compile command failed due to signal 4` has it; nil for anything else.
  package static func signal(in message: String) -> Int32? {
    guard let mark = message.firstRange(ofASCII: "\(signalMark)") else { return nil }
    return Int32(message[mark.upperBound...].prefix { $0.isASCII && $0.isNumber })
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
