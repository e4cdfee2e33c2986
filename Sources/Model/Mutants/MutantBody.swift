/// What stands in the place of a function's body in a mutant of the program.
///
/// To take a whole body away is extreme mutation: what no test notices is code that runs and that nothing checks
/// (https://doi.org/10.1109/ESEM.2016.37). The raw values stand in documents.
package enum MutantBody: String, Codable, CaseIterable, Sendable {
  /// Nothing is done, and nothing returned.
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
}
