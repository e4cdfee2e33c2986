/// The small style sheet that shows which integration a source page belongs to.
///
/// Such a page is usually the same in many integrations. Its varying parts, namely the number, the commit, the counts in
/// the tabs and the footer, are generated content from this sheet, so that integrations can share identical pages on
/// disk.
struct FactSheet {
  /// The path of the sheet, relative to the top of the report.
  static let path = "facts.css"

  private let facts: ReportFacts

  init(_ facts: ReportFacts) {
    self.facts = facts
  }

  var bytes: [UInt8] {
    var rules = ["@charset \"utf-8\";", rule("fact-number", facts.name), rule("fact-commit", facts.commit)]
    for (index, fact) in facts.footer.enumerated() { rules.append(rule("fact-\(index + 1)", fact)) }
    rules += facts.tabs.compactMap(rule(of:))
    return Array((rules.joined(separator: "\n") + "\n").utf8)
  }

  private func rule(_ name: String, _ words: String) -> String {
    ".\(name)::after { content: \"\(Self.escaped(VisibleText.of(words)))\"; }"
  }

  private func rule(of tab: ReportFacts.Tab) -> String? {
    tab.count.map { count in
      let colour = tab.isRed ? " color: var(--red);" : tab.isAmber ? " color: var(--amber);" : ""
      return ".tabs [href$=\"/\(tab.path)\"]::after { content: \" \(Self.escaped(count))\";\(colour) }"
    }
  }

  /// Returns text escaped for a quoted string in a style sheet
  /// (https://www.w3.org/TR/css-syntax-3/#consume-string-token).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\", "<", ">", "&", "\u{0}"..<" ", "\u{7F}": result += "\\\(String(scalar.value, radix: 16)) "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
