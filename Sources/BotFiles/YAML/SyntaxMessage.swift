/// What is wrong with a file that is no YAML, in words that say what to write instead.
struct SyntaxMessage {
  /// In Unicode scalars from the beginning of the file.
  let offset: Int
  let text: String

  init(_ failure: YAMLParser.Failure, in source: SourceText) {
    let character = source.scalar(at: failure.offset)
    let opening = failure.contextOffset
    switch failure.problem {
    case "found character that cannot start any token" where character == "\t",
      "found a tab character that violates indentation":
      self.init(failure.offset, "a tab; YAML is indented with spaces")
    case "found character that cannot start any token":
      self.init(
        failure.offset,
        "a value cannot begin with '\(character.map { String($0).shortened } ?? "")' unless it is quoted: \"…\"")
    case "did not find expected alphabetic or numeric character" where failure.context?.hasSuffix("alias") == true:
      self.init(opening ?? failure.offset, "a value that begins with * must be quoted, such as \"*\" or \"*.md\"")
    case "found unexpected end of stream", "found unexpected document indicator":
      self.init(opening ?? failure.offset, "the quoted text that begins here has no closing quote")
    case "mapping values are not allowed in this context":
      self.init(failure.offset, "a ':' where no key can be; indent keys alike, and quote a value that holds ': '")
    case "could not find expected ':'":
      self.init(opening ?? failure.offset, "a line without ':'; expected 'key: value'")
    case "did not find expected key":
      self.init(failure.offset, "expected a key here, indented like those above it")
    case "did not find expected '-' indicator":
      self.init(failure.offset, "expected '-' here, indented like those above it")
    case "block sequence entries are not allowed in this context":
      self.init(failure.offset, "a '-' where no list can begin; begin the list on a line of its own")
    case "did not find expected ',' or ']'":
      self.init(failure.offset, "expected ',' or ']' in the list\(Self.place(opening, in: source))")
    case "did not find expected ',' or '}'":
      self.init(failure.offset, "expected ',' or '}' in the mapping\(Self.place(opening, in: source))")
    case "found unknown escape character":
      self.init(failure.offset, "not an escape; in double quotes a backslash is written \\\\, or use single quotes")
    default:
      let context = failure.context.map { " \($0)" } ?? ""
      self.init(failure.offset, "cannot be read as YAML\(context): \(failure.problem)")
    }
  }

  private init(_ offset: Int, _ text: String) {
    self.offset = offset
    self.text = text
  }

  private static func place(_ opening: Int?, in source: SourceText) -> String {
    opening.map { " that begins in line \(source.position(of: $0).line)" } ?? ""
  }
}
