/// A value for a template.
///
/// In a section, `missing`, `false`, an empty list, an empty text and empty markup count as nothing; a number counts as
/// something, even zero, and so does a record.
package enum TemplateValue: Sendable, Hashable {
  /// Explicitly nothing: a known name without a value.
  case missing
  case flag(Bool)
  case number(Int)
  /// Text, escaped wherever it is inserted.
  case text(String)
  /// Markup, inserted unchanged by triple braces.
  case html(SafeHTML)
  /// A command: its text by two braces, and by three the same as markup whose lines end at spaces only.
  case command(String)
  /// A name or a path: its text by two braces, and by three the same as markup whose lines may also end within it.
  case name(String)
  /// A heading: the same as a name, with no end of a line between a figure and what it counts.
  case heading(String)
  case list([TemplateValue])
  case record([String: TemplateValue])

  /// Returns the text, or `missing` if there is none.
  package static func optional(_ text: String?) -> TemplateValue {
    text.map(TemplateValue.text) ?? .missing
  }

  var kind: String {
    switch self {
    case .missing: "missing"
    case .flag: "a flag"
    case .number: "a number"
    case .text: "a text"
    case .html: "safe HTML"
    case .command: "a command"
    case .name: "a name"
    case .heading: "a heading"
    case .list: "a list"
    case .record: "a record"
    }
  }
}

extension TemplateValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
  package init(stringLiteral value: String) { self = .text(value) }
  package init(booleanLiteral value: Bool) { self = .flag(value) }
  package init(integerLiteral value: Int) { self = .number(value) }
}

extension TemplateValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  package init(arrayLiteral elements: TemplateValue...) { self = .list(elements) }

  /// Creates a record; of two values with one name, the later counts.
  package init(dictionaryLiteral elements: (String, TemplateValue)...) {
    self = .record(Dictionary(elements) { _, later in later })
  }
}
