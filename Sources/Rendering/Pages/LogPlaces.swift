import Model
import Syntax

/// The places in sources that the lines of a log name, with the pages that show them.
struct LogPlaces: Sendable {
  /// A place as it is printed, and its address relative to the top of the report.
  struct Place {
    var range: Range<Int>
    var address: String
  }

  /// What more of a line, or of a path, is not looked at: a line has its place at the beginning.
  private static let most = (bytes: 1000, tries: 4)

  private let link: @Sendable (_ path: String, _ line: Int) -> String?
  /// The sources by what is printed in place of their path: by Swift Testing the name of a test's file, by a fatal error
  /// the target and the name. Nil where several have one name.
  private let named: [String: String?]
  /// The pages of issues, which quote their lines, by their places and by their lines alone.
  private let issues: [SourceLocation: String]

  /// - Parameters:
  ///   - sources: those that the pages of issues quote.
  ///   - link: the address of a line of a source, relative to the top of the report.
  init(
    _ integration: Integration, issues index: IssueIndex, sources: ShownSources,
    link: @escaping @Sendable (_ path: String, _ line: Int) -> String?
  ) {
    self.link = link
    let tests = integration.tests.results
    let ends = tests.flatMap { $0.badEnds + $0.knownIssues }
    let testFiles = Set((tests.map(\.location) + ends.map(\.location)).compactMap { $0?.file })
    let files = integration.coverage.coverage?.files ?? []
    let names =
      testFiles.map { (SourceLocation.fileName(of: $0), $0) }
      + files.map { ("\($0.target)/\(SourceLocation.fileName(of: $0.path))", $0.path) }
    named = Dictionary(names) { _, _ in nil }
    let quoted = index.entries.compactMap { issue, record -> (SourceLocation, String)? in
      guard issue.isFound, let place = issue.location, sources[place.file] != nil, let page = index.page(of: record.id)
      else {
        return nil
      }
      return (place, "\(page)#source")
    }
    let lines = quoted.map { (SourceLocation(file: $0.file, line: $0.line), $1) }
    self.issues = Dictionary(quoted + lines) { first, _ in first }
  }

  /// Returns the page that shows a line, relative to the top of the report.
  func address(of place: SourceLocation) -> String? {
    link(place.file, place.line) ?? issues[place] ?? issues[SourceLocation(file: place.file, line: place.line)]
  }

  /// Returns the first place in a line that a page shows, such as `Sources/A/B.swift:12:5`.
  func first(in line: ArraySlice<UInt8>) -> Place? {
    let text = line.prefix(Self.most.bytes)
    var at = text.startIndex
    var tries = 0
    while tries < Self.most.tries, let colon = text[at...].firstIndex(of: UInt8(ascii: ":")) {
      at = colon + 1
      let digits = text[at...].prefix { $0.isDigit }
      guard let number = Int(String(decoding: digits, as: UTF8.self)), Self.isFile(text[..<colon]) else { continue }
      tries += 1
      at = digits.endIndex
      let hasMore = text[at...].first == UInt8(ascii: ":")
      let column: ArraySlice<UInt8> = hasMore ? text[(at + 1)...].prefix { $0.isDigit } : []
      let place = (line: number, column: Int(String(decoding: column, as: UTF8.self)))
      guard let (start, address) = source(endingAt: colon, in: text, place) else { continue }
      return Place(range: start..<(column.isEmpty ? at : column.endIndex), address: address)
    }
    return nil
  }

  /// Returns whether text ends with a file extension.
  private static func isFile(_ text: ArraySlice<UInt8>) -> Bool {
    let name = text.reversed().prefix(8).prefix { $0.isNamePart }
    return !name.isEmpty && text.dropLast(name.count).last == UInt8(ascii: ".")
  }

  /// Returns where the path before a colon begins, behind a blank or at the beginning of the line, and the page of the
  /// source.
  private func source(
    endingAt colon: Int, in text: ArraySlice<UInt8>, _ place: (line: Int, column: Int?)
  ) -> (start: Int, address: String)? {
    let word = text[..<colon].lastIndex(of: UInt8(ascii: " ")).map { $0 + 1 }
    for start in [word, text.startIndex].compactMap(\.self) {
      let path = String(decoding: text[start..<colon], as: UTF8.self)
      let location = SourceLocation(file: (named[path] ?? nil) ?? path, line: place.line, column: place.column)
      if let address = address(of: location) { return (start, address) }
    }
    return nil
  }
}
