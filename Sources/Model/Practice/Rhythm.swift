/// What an integration did to the colour of the one before it: the beat of red, green, refactor.
package enum Rhythm: String, Codable, CaseIterable, Sendable {
  /// A new test is red and nothing green broke: the test came first.
  case redFirst = "red-first"
  /// What was red is green.
  case madePass = "made-it-pass"
  /// New tests that nobody saw red.
  case bornGreen = "born-green"
  /// The sources changed, and the same tests are green.
  case refactored
  /// What was green is red, or does not build any more.
  case broke
  /// Red before and now.
  case stillRed = "still-red"
  /// Green again with exactly the files of before the red: somebody tried whether the test can fail.
  case sabotage = "sabotage-undone"
}
