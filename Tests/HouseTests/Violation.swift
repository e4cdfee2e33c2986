/// A place that breaks a rule of the house.
struct Violation: Hashable, CustomStringConvertible {
  /// Relative to the repository.
  var file: String
  /// From 1; nil when the whole file is meant.
  var line: Int?
  /// What is wrong, and what the rule is.
  var rule: String

  var description: String {
    "\(file)\(line.map { ":\($0)" } ?? ""): \(rule)"
  }
}
