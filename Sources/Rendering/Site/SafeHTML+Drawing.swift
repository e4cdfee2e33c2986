extension SafeHTML {
  /// Appends a command of a path with its place.
  mutating func append(move command: StaticString, _ x: Int, _ y: Int) {
    append(command)
    append(number: x)
    append(" ")
    append(number: y)
  }

  /// Appends what a shape says when somebody points at it.
  mutating func append(title text: String) {
    append("<title>")
    append(escaping: text)
    append("</title>")
  }

  /// The numbers of up to four integrations along the axis of a plot, the last one among them.
  ///
  /// - Parameter x: the place of a number, by its index.
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

  /// The newest value of a plot, beside its point.
  mutating func append(now words: String, y: Int) {
    append(#"<text class="now" x="340" y=""#)
    append(number: y + 4)
    append(#"">"#)
    append(escaping: words)
    append("</text>")
  }
}
