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
}
