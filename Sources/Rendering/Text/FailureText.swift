/// The message of a failure as people read it.
package enum FailureText {
  /// Returns the message with its errors of Foundation reduced, and without the dash with which XCTest ends an assertion
  /// that has no message of its own.
  package static func shown(_ message: String) -> String {
    let text = FoundationErrorText.reduced(message)
    let words = text.dropLast(text.hasSuffix(" - ") ? 3 : text.hasSuffix(" -") ? 2 : 0)
    return words.allSatisfy(\.isWhitespace) ? text : String(words)
  }
}
