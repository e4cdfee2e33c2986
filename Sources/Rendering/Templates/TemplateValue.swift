/// What a template can be given.
///
/// In a section, `missing`, `false`, an empty list, an empty text and empty markup count as nothing;
/// a number is something, zero too, and so is a record.
package enum TemplateValue: Sendable, Hashable {
  /// Nothing, said on purpose: a known name without a value.
  case missing
  case flag(Bool)
  case number(Int)
  /// Text, escaped wherever it is put in.
  case text(String)
  /// Markup, put in as it is by three braces.
  case html(SafeHTML)
  case list([TemplateValue])
  case record([String: TemplateValue])

  /// Returns the text, or `missing` where there is none.
  package static func optional(_ text: String?) -> TemplateValue {
    text.map(TemplateValue.text) ?? .missing
  }

  /// What a person calls this kind of value.
  var kind: String {
    switch self {
    case .missing: "missing"
    case .flag: "a flag"
    case .number: "a number"
    case .text: "a text"
    case .html: "safe HTML"
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

  /// Makes a record; of two values for one name the later counts.
  package init(dictionaryLiteral elements: (String, TemplateValue)...) {
    self = .record(Dictionary(elements) { _, later in later })
  }
}
