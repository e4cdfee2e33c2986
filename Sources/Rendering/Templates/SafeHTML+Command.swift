extension SafeHTML {
  /// Returns a command as markup whose lines end at spaces only: a browser would also end one behind the hyphens of an
  /// option.
  static func command(_ text: String) -> SafeHTML {
    var html = SafeHTML()
    for (index, word) in VisibleText.of(text).split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { html.append(" ") }
      let isDivisible = word.utf8.contains(UInt8(ascii: "-"))
      if isDivisible { html.append("<span class=whole>") }
      html.append(escaping: word)
      if isDivisible { html.append("</span>") }
    }
    return html
  }
}
