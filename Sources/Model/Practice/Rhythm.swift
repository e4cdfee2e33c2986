/// How an integration changed the colour of the one before it: the rhythm of red, green, refactor.
package enum Rhythm: String, Codable, CaseIterable, Sendable {
  /// A new test failed and nothing green broke: the test came first.
  case redFirst = "red-first"
  /// What was red is green.
  case madePass = "made-it-pass"
  /// A test that was red was deleted, and none of the red ones is still red.
  case redDeleted = "red-deleted"
  /// There are new tests that have never been seen red.
  case bornGreen = "born-green"
  /// The sources changed, and the same tests are green.
  case refactored
  /// What was green is red, or no longer builds; nothing that was red before still is.
  case broke
  /// Red before and now.
  case stillRed = "still-red"
  /// A red test passes again with exactly the files from before the red: an experiment to see whether it can fail.
  case sabotage = "sabotage-undone"
}
