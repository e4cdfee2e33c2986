/// What a mutant of the program has instead of a function's body, or of a condition.
///
/// Removing a whole body is extreme mutation: if no test notices, the code runs but nothing checks it
/// (https://doi.org/10.1109/ESEM.2016.37). The raw values are used in documents.
package enum MutantReplacement: String, Codable, CaseIterable, Sendable {
  /// Does nothing and returns nothing.
  case nothing = ""
  case `false`
  case `true`
  case zero = "0"
  case one = "1"
  case emptyString = "\"\""
  case letter = "\"A\""
  case emptyCollection = "[]"
  case emptyDictionary = "[:]"
  case none = "nil"
  /// The opposite of a condition.
  case negation = "!"
}
