/// An error about tool output that cannot be read.
package struct ParsingError: Error, Hashable, CustomStringConvertible {
  /// The input, worded to follow "Cannot read", such as `the export of llvm-cov`.
  package var input: String
  /// The place in the input, in bytes from 0; nil if the input as a whole is wrong.
  package var offset: Int?
  /// The reason why it cannot be read.
  package var reason: String
  /// The advice for the person who sees the error; a whole sentence.
  package var advice: String

  package init(
    _ input: String, at offset: Int? = nil, reason: String,
    advice: String = "If the tool ended normally, its format is new to Martlet; please report it."
  ) {
    self.input = input
    self.offset = offset
    self.reason = reason
    self.advice = advice
  }

  package var description: String {
    let place = offset.map { " at byte \($0)" } ?? ""
    return "Cannot read \(input)\(place): \(reason). \(advice)"
  }
}
