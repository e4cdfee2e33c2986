import FoundationEssentials

/// A published report, as a browser sees it.
struct ReportFolder {
  let path: String

  func text(_ page: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(page)")), as: UTF8.self)
  }

  /// What a person reads on a page: without tags, and with character references resolved.
  func words(_ page: String) throws -> String {
    var text = try text(page).replacing(/<(script|style)[^>]*>.*?<\/\1>/.dotMatchesNewlines(), with: "")
      .replacing(/<[^>]*>/, with: "")
    for (reference, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
      text = text.replacing(reference, with: character)
    }
    return text
  }

  /// All files, relative to the report, sorted.
  func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
      var isFolder = false
      return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder) && !isFolder
    }.sorted()
  }

  /// The counts beside the lines of a source page; lines without code are absent.
  func gutter(_ page: String) throws -> [Int: String] {
    Dictionary(try lines(page).map { ($0.number, $0.count) }, uniquingKeysWith: { first, _ in first })
  }

  /// The lines that a source page marks as partly run.
  func partlyRan(_ page: String) throws -> [Int] {
    try lines(page).filter { $0.state == "p" }.map(\.number)
  }

  /// The lines that a source page marks as run without any test.
  func incidental(_ page: String) throws -> [Int] {
    try lines(page).filter { $0.state == "i" }.map(\.number)
  }

  /// The lines with code; a row of the page holds several that say the same.
  private func lines(_ page: String) throws -> [(number: Int, state: String, count: String)] {
    // Most rows ran, and have no class.
    let rows = try text(page).matches(
      of:
        #/
        <tr\ id=L[0-9]+(?:\ data-c)?(?:\ class=([pnio]))?(?:\ data-stop(?:=hot)?)?>
        <td>(?:<small[^>]*>[^<]*</small>)?(?:<a[^>]*>[^<]*</a>)*([0-9\n]*)<td[^>]*>((?:[^<]|</?small>)*)<td>
        /#)
    return rows.filter { $0.1 != "o" }.flatMap { row in
      let counts = row.3.split(separator: "\n")
      // A count that stands alone is that of every line of the row.
      return row.2.split(separator: "\n").enumerated().compactMap { index, number in
        let count = counts.count == 1 ? counts[0] : counts.indices.contains(index) ? counts[index] : ""
        return Int(number).map { ($0, String(row.1 ?? "r"), String(count.prefix { !" <".contains($0) })) }
      }
    }
  }

  /// Links and references that lead to no file or to no place in it, as `page: target`.
  ///
  /// - Parameter isCopy: whether no site is around the report, to which links may lead.
  func brokenLinks(isCopy: Bool = false) throws -> [String] {
    let files = Set(try files())
    var anchors: [String: Set<String>] = [:]
    for page in files where page.hasSuffix(".html") {
      anchors[page] = Set(try text(page).matches(of: /\sid="?([^"\s>]*)/).map { String($0.1) })
    }
    var broken: [String] = []
    for page in anchors.keys.sorted() {
      // The way up to the bot's page belongs to the site around the report.
      var text = try text(page)
      if !isCopy {
        text = text.replacing(/<a class="up" href="[^"]*">/, with: "<a>")
          .replacing(/<link rel=stylesheet class=up href=[^>]*>/, with: "")
      }
      for match in text.matches(of: /\s(?:href|src)="?([^"\s>]*)/) {
        let target = String(match.1).replacing("&amp;", with: "&")
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let file = parts[0].isEmpty ? page : Self.resolve(parts[0], from: page)
        let anchor = parts.count > 1 ? parts[1] : ""
        let isThere = files.contains(file) && (anchor.isEmpty || anchors[file, default: []].contains(anchor))
        if !isThere { broken.append("\(page): \(target)") }
      }
    }
    return broken
  }

  private static func resolve(_ target: String, from page: String) -> String {
    var parts = page.split(separator: "/").dropLast().map(String.init)
    for part in target.split(separator: "/") {
      if part == ".." {
        guard !parts.isEmpty else { return "../\(target)" }
        parts.removeLast()
      } else if part != "." {
        parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}
