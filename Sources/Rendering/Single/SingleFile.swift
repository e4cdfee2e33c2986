import FoundationEssentials
package import Model

/// A report as one HTML file, to be attached to a mail: its most important pages, shown one at a time.
///
/// The style sheet and the script are inline, and the content policy allows only them, by their hashes. Pages that do
/// not fit are left out, and links to them are removed; pictures and attachments are left out, too.
package struct SingleFile: Sendable {
  /// The name of the file.
  package static let fileName = "report.html"
  /// The size limit in bytes, which a mail server accepts even with the third that encoding adds to an attachment.
  package static let sizeLimit = 5_000_000

  package let bytes: [UInt8]
  /// The number of pages in the file, and the number of report pages that are left out.
  package let pageCount: Int
  package let leftCount: Int

  /// - Parameters:
  ///   - integration: what gives the file its name and its title.
  ///   - page: returns a file of the report by path; nil if there is none.
  /// - Throws: a template error, also if the style sheet or the script cannot be inlined.
  package init(
    of integration: Integration, library: TemplateLibrary, page: (String) -> [UInt8]?
  ) throws(TemplateError) {
    let name = Self.name(of: integration)
    try self.init(
      name: name, title: "\(name): \(VerdictSentence(integration).sentence)", library: library, page: page)
  }

  /// - Parameters:
  ///   - name: what stands above the pages.
  ///   - title: the title of the file.
  init(
    name: String, title: String, library: TemplateLibrary, limit: Int = sizeLimit, page: (String) -> [UInt8]?
  ) throws(TemplateError) {
    let (pages, left) = Self.choose(limit: limit, page)
    var chosen = pages
    while true {
      let bytes = try Self.bytes(
        name: name, title: title, library: library, pages: chosen,
        left: left + pages.dropFirst(chosen.count).map(\.path), page)
      if bytes.count < limit || chosen.count <= 1 {
        self.bytes = bytes
        pageCount = chosen.count
        leftCount = left.count + pages.count - chosen.count
        return
      }
      chosen.removeLast(max(1, chosen.count / 10))
    }
  }

  /// Returns the names of the repository and of the commit of a run, with the number by which its pages call it.
  private static func name(of integration: Integration) -> String {
    let folder = integration.repository.split(separator: "/").last { $0 != ".git" } ?? integration.bot[...]
    let name = folder.hasSuffix(".git") ? folder.dropLast(4) : folder
    return "\(name) \(integration.commit.id.short), integration \(integration.number)"
  }

  private struct Page {
    var path: String
    var content: PageContent
    var ids: Set<String>
  }

  // MARK: - Choosing pages

  /// Returns the pages that fit, in the order of their importance to the reader, and the paths of those that do not.
  private static func choose(limit: Int, _ page: (String) -> [UInt8]?) -> (pages: [Page], left: [String]) {
    // Those of the tabs: no page needs to link to them between its header and its footer.
    let first = ["index.html", "coverage.html", "tests.html", ComparisonPage.path, IssueIndex.path]
    var queues: [[String]] = [first, [], []]
    var seen = Set(first)
    var pages: [Page] = []
    var (size, left) = (300_000, [String]())
    while let queue = queues.firstIndex(where: { !$0.isEmpty }) {
      let path = queues[queue].removeFirst()
      guard let content = page(path).flatMap({ PageContent($0) }) else { continue }
      for link in content.links {
        guard let target = resolved(link, from: path).path, seen.insert(target).inserted else { continue }
        // Logs are long, and lists in another order show nothing new: they are the least important.
        queues[target.hasPrefix("log/") || target.hasPrefix("files-by-") || target == SlowestTestsPage.path ? 2 : 1]
          .append(target)
      }
      // Ids and addresses get longer.
      let cost = content.count + content.count / 6
      if size + cost < limit || pages.isEmpty {
        pages.append(Page(path: path, content: content, ids: content.ids))
        size += cost
      } else {
        left.append(path)
      }
    }
    return (pages, left)
  }

  /// Returns the report page and the anchor that an address refers to.
  private static func resolved(_ address: String, from page: String) -> (path: String?, anchor: Substring?) {
    let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let anchor = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
    if parts[0].isEmpty { return (page, anchor) }
    guard parts[0].hasSuffix(".html"), !parts[0].contains(":") else { return (nil, nil) }
    var folders = page.split(separator: "/").dropLast()
    for part in parts[0].split(separator: "/") {
      if part == ".." {
        guard folders.popLast() != nil else { return (nil, nil) }
      } else {
        folders.append(part)
      }
    }
    return (folders.joined(separator: "/"), anchor)
  }

  // MARK: - Writing

  /// Where the report's pages are in the file.
  private struct SheetAddresses {
    private let pages: [Page]
    private let indices: [String: Int]

    init(_ pages: [Page]) {
      self.pages = pages
      indices = Dictionary(pages.enumerated().map { ($1.path, $0) }) { first, _ in first }
    }

    /// Returns the new address for one on a page of the report; nil if its target is not in the file.
    func address(_ address: String, on page: String) -> String? {
      let (path, anchor) = SingleFile.resolved(address, from: page)
      guard let path, let target = indices[path] else { return nil }
      // Without the id, the top of the page is close enough; otherwise the hash would lead to the first page.
      let id = anchor.map(String.init).flatMap { pages[target].ids.contains($0) ? $0 : nil }
      return "#" + (id.map { SingleFile.newID($0, page: target) } ?? "p\(target)")
    }
  }

  private static func bytes(
    name: String, title: String, library: TemplateLibrary, pages: [Page], left: [String],
    _ page: (String) -> [UInt8]?
  ) throws(TemplateError) -> [UInt8] {
    let addresses = SheetAddresses(pages)
    let style = try inline("style.css", end: "</style", page) + (try inline("facts.css", end: "</style", page))
    let script = try inline("martlet.js", end: "</script", page)
    let sections = pages.enumerated().map { index, page in
      TemplateValue.record([
        "id": .text("p\(index)"),
        "tab": .optional(page.content.tab.flatMap { addresses.address($0, on: page.path) }),
        "content": .html(
          SafeHTML(
            bytes: page.content.rewritten(
              id: { newID($0, page: index) }, address: { addresses.address($0, on: page.path) }))),
      ])
    }
    // That of a page for which there was no room has no link.
    let tabs = page("index.html").flatMap { PageContent(tabsOf: $0) }?.rewritten(
      id: { $0 }, address: { addresses.address($0, on: "index.html") })
    return try library.render(
      "single",
      .record([
        "name": .shown(name), "title": .shown(title), "style": .html(SafeHTML(bytes: style)),
        "script": .html(SafeHTML(bytes: script)),
        "styleHash": .text(ContentHash.source(of: style)), "scriptHash": .text(ContentHash.source(of: script)),
        "pages": .list(sections), "tabs": .html(SafeHTML(bytes: tabs ?? [])),
        "left": left.isEmpty ? .missing : .text(leftWords(left)),
      ]))
  }

  /// Returns how many pages are left out, and of which kinds.
  static func leftWords(_ paths: [String]) -> String {
    let kinds = [
      ("coverage/", "source", "sources"), ("directories/", "directory", "directories"),
      ("files-by-", "list of files", "lists of files"), ("tests/", "test", "tests"),
      ("test-sources/", "test source", "test sources"),
      ("package-sources/", "source of another package", "sources of other packages"),
      ("dependency-sources/", "source of a dependency", "sources of dependencies"),
      ("other-sources/", "other source", "other sources"), ("issues/", "issue", "issues"),
      ("log/", "page of logs", "pages of logs"),
    ]
    var rest = paths
    var words: [String] = []
    for (start, one, many) in kinds {
      let count = rest.count { $0.hasPrefix(start) }
      rest.removeAll { $0.hasPrefix(start) }
      if count > 0 { words.append(CountText.counted(count, one, many)) }
    }
    let list = CountText.list(rest.sorted() + words)
    return "\(CountText.counted(paths.count, "page")) of the report not in this file: \(list)"
  }

  private static func newID(_ id: String, page: Int) -> String { "p\(page)-\(id)" }

  private static func inline(_ name: String, end: String, _ page: (String) -> [UInt8]?) throws(TemplateError) -> [UInt8]
  {
    let bytes = page(name) ?? []
    guard bytes.firstRange(of: Array(end.utf8)) == nil else {
      throw TemplateError(
        file: name, reason: "it holds \"\(end)\" and cannot stand in a page", advice: "Write that word in another way.")
    }
    return bytes
  }
}

/// Hashes by which a content policy identifies inline styles and scripts.
enum ContentHash {
  /// https://www.w3.org/TR/CSP3/#grammardef-hash-source
  static func source(of bytes: [UInt8]) -> String { "sha256-\(Data(SHA256.hash(bytes)).base64EncodedString())" }
}
