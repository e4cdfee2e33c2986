extension String {
  /// The text with its first letter in uppercase, as at the beginning of a sentence.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// The text with its first letter in lower case.
  package var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }

  /// The text with a full stop, unless it already ends like a sentence.
  package var withStop: String { [".", "!", "?"].contains(last) ? self : "\(self)." }

  /// The text with a full stop, followed by other sentences if there are any.
  package func followed(by sentences: String) -> String { sentences.isEmpty ? withStop : "\(withStop) \(sentences)" }
}
