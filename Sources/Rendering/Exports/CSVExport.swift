import Model

/// The coverage figures of each file as a table: https://www.rfc-editor.org/rfc/rfc4180, with plain line feeds.
///
/// There are columns for branches if any file has some; they are empty for other files.
enum CSVExport {
  static func text(_ files: [IntegrationRecord.File], of document: IntegrationRecord) -> String {
    let hasBranches = files.contains { $0.branches != nil }
    var header = [
      "path", "target", "lines", "covered", "partial", "uncovered", "percent", "regions", "regionsCovered",
      "functions", "functionsCovered",
    ]
    if hasBranches { header += ["branches", "branchesCovered"] }
    let rows = files.sorted { $0.path < $1.path }.map { file in
      let cells = [
        cell(document.repositoryPath(file.path)), cell(file.target), "\(file.lines.total)", "\(file.lines.covered)",
        "\(file.lines.partial)", "\(file.lines.uncovered)", percent(file.lines), "\(file.regions.total)",
        "\(file.regions.covered)", "\(file.functions.total)", "\(file.functions.covered)",
      ]
      return hasBranches ? cells + branches(of: file) : cells
    }
    return ([header] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private static func branches(of file: IntegrationRecord.File) -> [String] {
    file.branches.map { ["\($0.total)", "\($0.covered)"] } ?? ["", ""]
  }

  /// Returns the figure without its sign.
  private static func percent(_ lines: LineTally) -> String {
    CountText.percent(lines.covered, of: lines.total).map { String($0.dropLast()) } ?? ""
  }

  /// Returns a text, quoted if necessary; a text that a spreadsheet would take for a formula gets a leading apostrophe.
  ///
  /// https://owasp.org/www-community/attacks/CSV_Injection
  static func cell(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    if let first = scalars.first, "=+-@\t\r".unicodeScalars.contains(first) { scalars.insert("'", at: 0) }
    guard scalars.contains(where: { "\",\n\r".unicodeScalars.contains($0) }) else { return String(scalars) }
    // A quotation mark with a combining accent is not a quotation mark to Swift, but it is to readers of the file.
    return "\"\(String(scalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }))\""
  }
}

extension String {
  fileprivate init(_ scalars: [Unicode.Scalar]) { self.init(String.UnicodeScalarView(scalars)) }
}
