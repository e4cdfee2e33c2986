extension String {
  /// The text with a full stop, unless it already ends like a sentence.
  package var withStop: String { [".", "!", "?"].contains(last) ? self : "\(self)." }
}
