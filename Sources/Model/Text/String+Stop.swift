extension String {
  /// The text with a full stop, unless it ends as a sentence does.
  package var withStop: String { [".", "!", "?"].contains(last) ? self : "\(self)." }
}
