/// Lines of a file that are gone, as they were.
package struct RemovedLines: Hashable, Sendable {
  /// The line now that stands behind them; one more than there are for the end of the file.
  package var before: Int
  /// The number of the first of them, then.
  package var first: Int
  /// Their text with its line feeds; of very many lines the first.
  package var text: [UInt8]
  /// How many they are.
  package var count: Int
  /// How many of them held code, and how many of those ran.
  package var code: Tally

  package init(before: Int, first: Int, text: [UInt8], count: Int, code: Tally) {
    self.before = before
    self.first = first
    self.text = text
    self.count = count
    self.code = code
  }
}
