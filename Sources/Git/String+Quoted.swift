extension String {
  /// The text in typographic quotes, with control characters replaced, for an error shown to a person.
  var quoted: String {
    let shown = unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "\u{FFFD}" : Character($0) }
    return "“\(String(shown))”"
  }
}
