import Model

/// The small style sheet that shows, on every page of the reports of a branch, the outcome of its newest integration.
///
/// It is stored beside the reports, so that an old report, opened from a mail for instance, shows that the branch is
/// green again. A report reads it by way of a sheet of its own.
struct NewestSheet {
  /// The path of a report's own sheet, and the beginning of the names of those beside the reports.
  static let path = "newest.css"
  static let page = "newest.html"
  static let branchPrefix = "newest-"

  /// Returns the names of the sheet and of the page that leads to the newest report, in the bot's folder.
  ///
  /// - Parameter branch: nil for the bot's main one.
  static func names(of branch: String?) -> (sheet: String, page: String) {
    guard let branch else { return (path, page) }
    let stem = branchPrefix + FileSystemName.encode(branch)
    return ("\(stem).css", "\(stem).html")
  }

  /// Returns a report's own sheet, which also numbers the links to its neighbours, and hides those that it does not have,
  /// that of the newest report to itself, and a second one to the same report.
  ///
  /// - Parameters:
  ///   - newest: the branch whose newest report the page leads to, if that is not its own.
  ///   - next: the next report, unless it is the newest one.
  ///   - isNewest: whether no report follows.
  static func own(
    of branch: String?, newest: String? = nil, next: Int? = nil, isNewest: Bool = true, previous: Int? = nil
  ) -> [UInt8] {
    func rule(_ link: String, _ number: Int?, without hidden: String) -> String {
      number.map { ".turn \(link) a::after { content: \" \($0)\"; }\n" } ?? ".turn \(hidden) { display: none; }\n"
    }
    let rules =
      rule(".previous", previous, without: ".previous")
      + rule(".next", next, without: newest == nil && isNewest ? ":is(.next, .newest)" : ".next")
    return Array("@charset \"utf-8\";\n@import \"../\(names(of: newest ?? branch).sheet)\";\n\(rules)".utf8)
  }

  private let newest: HistoryLine?
  /// The branch to name, if there are reports of other branches, too.
  private let branch: String?

  init(_ newest: HistoryLine?, of branch: String?) {
    (self.newest, self.branch) = (newest, branch)
  }

  var bytes: [UInt8] {
    let branch = branch.map { " on \(Self.escaped($0))" } ?? ""
    let words = newest.map { "\(branch): \($0.number), \($0.lowercasedOutcome)" } ?? ""
    return Array("@charset \"utf-8\";\n.newest::after { content: \"\(words)\"; }\n".utf8)
  }

  /// Returns text escaped for a string in a style sheet (https://www.w3.org/TR/css-syntax-3/#escaping).
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_./ ".unicodeScalars.contains(scalar)
      return isPlain ? String(scalar) : "\\\(String(scalar.value, radix: 16)) "
    }.joined()
  }
}
