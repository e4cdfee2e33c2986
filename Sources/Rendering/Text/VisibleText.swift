/// Makes characters visible that a page cannot show or that would mislead its reader.
package enum VisibleText {
  /// Returns the text with control characters and direction controls replaced by their numbers; line feeds and tabs
  /// stay.
  ///
  /// Bidirectional controls can make a source or a name appear other than it is (https://trojansource.codes).
  package static func of(_ text: String) -> String {
    // Nearly all text is plain.
    text.utf8.allSatisfy { 0x20..<0x7F ~= $0 } ? text : of(text, hiding: isHidden)
  }

  /// Returns the text with only some scalars replaced by their numbers, for formats that cannot represent them.
  static func of(_ text: String, hiding isHidden: (Unicode.Scalar) -> Bool) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      shown.append(contentsOf: isHidden(scalar) ? Array(picture(of: scalar).unicodeScalars) : [scalar])
    }
    return String(shown)
  }

  /// Returns whether a scalar has no visible shape of its own.
  static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0x061C, 0x2028, 0x2029: true
    case 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    default: false
    }
  }

  /// Returns the replacement for a hidden scalar: its number in angle brackets, such as `⟨U+202E⟩`.
  static func picture(of scalar: Unicode.Scalar) -> String {
    "⟨U+\(hex(scalar.value))⟩"
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension TemplateValue {
  /// Returns text of foreign origin, with invisible characters made visible.
  package static func shown(_ text: String) -> TemplateValue { .text(VisibleText.of(text)) }

  /// Returns optional text of foreign origin, with invisible characters made visible.
  package static func shown(ifAny text: String?) -> TemplateValue { text.map { .shown($0) } ?? .missing }
}
