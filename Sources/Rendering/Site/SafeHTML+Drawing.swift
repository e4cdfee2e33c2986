extension SafeHTML {
  /// Appends a path command with its coordinates.
  mutating func append(move command: StaticString, _ x: Int, _ y: Int) {
    append(command)
    append(number: x)
    append(" ")
    append(number: y)
  }

  /// Appends the tooltip of a shape.
  mutating func append(title text: String) {
    append("<title>")
    append(escaping: text)
    append("</title>")
  }

  /// Appends the numbers of up to four integrations along the axis of a plot, including the last.
  ///
  /// - Parameter x: the position of a number, by its index.
  mutating func appendAxis(_ numbers: [Int], x: (Int) -> Int) {
    guard let last = numbers.indices.last else { return }
    var shown: [Int] = []
    for index in [0, last / 3, last * 2 / 3, last] where shown.last != index { shown.append(index) }
    for index in shown {
      append(#"<text x=""#)
      append(number: x(index))
      append(#"" y="110" text-anchor="middle">"#)
      append(number: numbers[index])
      append("</text>")
    }
  }

  /// A value of the upright axis, beside its line.
  mutating func append(axis words: String, y: Int) {
    append(#"<text x="38" text-anchor="end" y=""#)
    append(number: y + 4)
    append(#"">"#)
    append(escaping: words)
    append("</text>")
  }
}
