import Model

/// The coverage figures of each file as a table: https://www.rfc-editor.org/rfc/rfc4180, with plain line feeds.
enum CSVExport {
  static func text(_ files: [IntegrationDocument.File], of document: IntegrationDocument) -> String {
    let header = [
      "path", "target", "lines", "covered", "partial", "uncovered", "percent", "regions", "regionsCovered",
      "functions", "functionsCovered",
    ]
    let rows = files.sorted { $0.path < $1.path }.map { file in
      [
        cell(document.repositoryPath(file.path)), cell(file.target), "\(file.lines.total)", "\(file.lines.covered)",
        "\(file.lines.partial)", "\(file.lines.uncovered)", percent(file.lines), "\(file.regions.total)",
        "\(file.regions.covered)", "\(file.functions.total)", "\(file.functions.covered)",
      ]
    }
    return ([header] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private static func percent(_ lines: LineTally) -> String {
    CountText.percent(lines.covered, of: lines.total).map { String($0.dropLast(2)) } ?? ""
  }

  /// Quoted where it must be; a text that a spreadsheet would take for a formula gets an apostrophe before it.
  ///
  /// https://owasp.org/www-community/attacks/CSV_Injection
  private static func cell(_ text: String) -> String {
    var text = VisibleText.of(text)
    if let first = text.unicodeScalars.first, "=+-@\t".unicodeScalars.contains(first) { text = "'" + text }
    guard text.utf8.contains(where: { "\",\n".utf8.contains($0) }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
