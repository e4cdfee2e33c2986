extension String {
  /// The text between typographic quotes, control characters replaced, for an error that a person reads.
  var quoted: String {
    let shown = unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "\u{FFFD}" : Character($0) }
    return "“\(String(shown))”"
  }
}
