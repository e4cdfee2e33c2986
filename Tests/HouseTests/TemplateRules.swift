/// The names that templates look up and those that pages are made of are the same: what no template shows need not be
/// worked out, and what no page gives cannot be shown.
struct TemplateRules {
  /// Names whose spelling is not in the code, or that are there for templates of users, with the reason.
  static let excused = [
    "outcome": "for the webhooks of users, who tell by it what a word would hide",
    "escaped": "made for each way to escape, in MessageFacts",
    "markdown": "made for each way to escape, in MessageFacts",
  ]

  private let templates: [(path: String, text: String)]
  private let sources: [SwiftText]

  init(templates: [(path: String, text: String)], sources: [SwiftText]) {
    self.templates = templates
    self.sources = sources
  }

  func violations() -> [Violation] {
    let shown = places(of: templates.map { ($0.path, $0.text.split(separator: "\n").map(String.init)) }, Self.shown)
    let given = places(of: sources.map { ($0.path, $0.lines) }, Self.given)
    let unshown = given.filter { shown[$0.key] == nil }.map { name, place in
      Violation(file: place.file, line: place.line, rule: "no template shows '\(name)'; leave it out of the record")
    }
    let ungiven = shown.filter { name, _ in given[name] == nil && !composed(name) }.map { name, place in
      Violation(file: place.file, rule: "no page gives '\(name)', which the template asks for")
    }
    return (unshown + ungiven).filter { violation in !Self.excused.keys.contains { violation.rule.contains("'\($0)'") }
    }
    .sorted { "\($0)" < "\($1)" }
  }

  /// Lists in an order have names that are put together from the order's.
  private func composed(_ name: String) -> Bool {
    name.hasPrefix("by") && sources.contains { $0.lines.contains { $0.has("\"by\\(rawValue") } }
  }

  private func places(
    of files: [(path: String, lines: [String])], _ names: (String) -> [String]
  ) -> [String: (file: String, line: Int)] {
    var places: [String: (file: String, line: Int)] = [:]
    for file in files {
      for (index, line) in file.lines.enumerated() {
        for name in names(line) where places[name] == nil { places[name] = (file.path, index + 1) }
      }
    }
    return places
  }

  /// The names that a line of a template looks up; those of blocks and of other templates are its own.
  private static func shown(_ line: String) -> [String] {
    guard line.has("{{") else { return [] }
    return line.matches(of: #/\{\{\{?\s*[#^&]?\s*([A-Za-z][A-Za-z0-9.]*)/#)
      .flatMap { $0.output.1.split(separator: ".").map(String.init) }
  }

  /// The names that a line of code gives values to.
  private static func given(_ line: String) -> [String] {
    guard line.has("\""), !line.has("case \"") else { return [] }
    let literals = line.matches(of: #/"([a-z][A-Za-z0-9]*)":\s/#).map { String($0.output.1) }
    return literals + line.matches(of: #/\["([a-z][A-Za-z0-9]*)"\]\s=(?!=)/#).map { String($0.output.1) }
  }
}
