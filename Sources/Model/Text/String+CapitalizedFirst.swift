extension String {
  /// With its first letter in upper case, as at the beginning of a sentence.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
