/// Lines that were removed from a file.
package struct RemovedLines: Hashable, Sendable {
  /// The current line that follows them; at the end of the file, one more than the number of lines.
  package var before: Int
  /// The earlier number of the first line.
  package var first: Int
  /// The text of the lines, including line feeds; cut after the first ones if there are very many.
  package var text: [UInt8]
  /// The number of lines.
  package var count: Int
  /// How many of the lines held code, and how many of those ran.
  package var code: Tally

  package init(before: Int, first: Int, text: [UInt8], count: Int, code: Tally) {
    self.before = before
    self.first = first
    self.text = text
    self.count = count
    self.code = code
  }
}
