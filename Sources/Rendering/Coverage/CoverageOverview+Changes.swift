import Model

extension CoverageOverview {
  private static let mostShown = 8
  private static let mostFolded = 200

  /// Lines of a change that belong together.
  private struct Entry {
    var file: FileCoverage
    var block: UncoveredBlock
    var sign: String
    var what: String
  }

  /// What the integration changed, for the first screen; missing when nothing is known of it.
  func changes(_ coverage: Coverage) -> TemplateValue {
    guard let changes = integration.changes, showsChanges else { return .missing }
    let files = Dictionary(coverage.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let new = newEntries(changes.patch.value, files)
    let lost = lostEntries(changes.comparison.value, files)
    let entries = new + lost
    let folded = entries.dropFirst(Self.mostShown)
    return .record([
      "summary": .text(summary(changes)),
      "isClean": .flag(entries.isEmpty && changes.patch.value?.unmapped.isEmpty == true),
      "unknown": .list(unknown(changes).map { .shown($0) }),
      "hasRows": .flag(!entries.isEmpty),
      "rows": .list(entries.prefix(Self.mostShown).map(record)),
      "hasFolded": .flag(!folded.isEmpty),
      "foldedCount": .text(CountText.counted(folded.count, "more place")),
      "folded": .list(folded.prefix(Self.mostFolded).map(record)),
      "left": folded.count > Self.mostFolded
        ? .text("\(CountText.counted(folded.count - Self.mostFolded, "place")) more, on the pages of the files.")
        : .missing,
    ])
  }

  /// Whether there is something to say about a change: not for the first commit of all, of which everything is new.
  var showsChanges: Bool {
    guard let changes = integration.changes else { return false }
    return changes.comparison.value != nil || changes.patch.value.map { $0.origin != .nothing } ?? true
  }

  /// Why something is not known, and of which files.
  private func unknown(_ changes: CoverageChanges) -> [String] {
    let touched = changes.patch.value?.unmapped ?? []
    let compared = (changes.comparison.value?.unmapped ?? []).filter { !touched.contains($0) }
    return Set([changes.patch.reason, changes.comparison.reason].compactMap { $0 }).sorted()
      + touched.sentences("Which lines changed", first: Self.mostShown)
      + compared.sentences("Whether lines were lost", first: Self.mostShown)
  }

  private func summary(_ changes: CoverageChanges) -> String {
    let since: String? =
      switch changes.patch.value?.origin {
      case .integration(let number): "since \(number)"
      case .parent: "since the commit's parent"
      case .nothing, nil: nil
      }
    var parts: [String] = []
    if let patch = changes.patch.value {
      parts.append(
        "\(CountText.plain(patch.tally.uncovered)) of \(CountText.counted(patch.tally.total, "changed line"))"
          + Self.left(patch))
    }
    guard let comparison = changes.comparison.value else {
      return (parts + [since].compactMap { $0 }).joined(separator: " ")
    }
    let compared = "since \(comparison.baseline)"
    // The commits since one integration, and the lines of an earlier one where that measured none.
    if since != compared, let since, !parts.isEmpty { parts[0] += " \(since)" }
    return (parts + ["\(CountText.plain(comparison.lines[.lost])) lost \(compared)"]).joined(separator: ", ")
  }

  /// Of how many files a figure of the patch says nothing.
  private static func left(_ patch: PatchCoverage) -> String {
    patch.unmapped.isEmpty ? "" : " beside \(CountText.counted(patch.unmapped.count, "unknown file"))"
  }

  private func newEntries(_ patch: PatchCoverage?, _ files: [String: FileCoverage]) -> [Entry] {
    guard let patch, patch.origin != .nothing else { return [] }
    return patch.files.flatMap { touched -> [Entry] in
      guard let file = files[touched.path] else { return [] }
      return Self.blocks(of: touched.neverRan).map { Entry(file: file, block: $0, sign: "+", what: "new, never ran") }
    }
  }

  private func lostEntries(_ comparison: CoverageComparison?, _ files: [String: FileCoverage]) -> [Entry] {
    guard let comparison else { return [] }
    let lines = comparison.files.flatMap { changed -> [Entry] in
      guard let file = files[changed.path] else { return [] }
      let lost = changed.lines(.lost)
      return Self.blocks(of: lost.map(\.line)).map { block in
        let before = lost.filter { block.lines.contains($0.line) }.compactMap(\.before).max()
        return Entry(
          file: file, block: block, sign: "▼", what: "lost, \(ChangeWords.before(before, in: comparison.baseline))")
      }
    }
    let parts = comparison.files.flatMap { changed -> [Entry] in
      guard let file = files[changed.path] else { return [] }
      return Self.blocks(of: changed.lostPartLines).map { block in
        Entry(file: file, block: block, sign: "▼", what: "a part is lost, it ran in \(comparison.baseline)")
      }
    }
    return lines + parts
  }

  /// Lines that follow each other, ascending.
  private static func blocks(of lines: [Int]) -> [UncoveredBlock] {
    var blocks: [UncoveredBlock] = []
    for line in lines {
      if let last = blocks.last, line <= last.lines.upperBound + 1 {
        blocks[blocks.count - 1].lines = last.lines.lowerBound...max(line, last.lines.upperBound)
      } else {
        blocks.append(UncoveredBlock(lines: line...line))
      }
    }
    return blocks
  }

  private func record(of entry: Entry) -> TemplateValue {
    var fields = fields(of: entry.block, in: entry.file)
    fields["sign"] = .text(entry.sign)
    fields["what"] = .text(entry.what)
    return .record(fields)
  }

  /// All lines and regions by genhtml's categories.
  var categories: TemplateValue {
    guard let comparison = integration.changes?.comparison.value else { return .missing }
    let unmapped = comparison.unmapped.sentences("What became of the lines", first: 12)
    return .record([
      "baseline": .text("\(comparison.baseline)"),
      "rows": ChangeWords.rows(lines: comparison.lines, regions: comparison.regions, since: comparison.baseline),
      "unmapped": .shown(ifAny: unmapped.isEmpty ? nil : unmapped.joined(separator: " ")),
    ])
  }

  /// The figures about the change: what it left uncovered, and what it lost and gained.
  func changeFigures() -> [TemplateValue] {
    guard let changes = integration.changes else { return [] }
    let lines = changes.comparison.value?.lines
    let regions = changes.comparison.value?.regions
    let lostParts = regions.map {
      "of regions \(CountText.plain($0[.lost])) lost, \(CountText.plain($0[.gained])) gained"
    }
    return [
      Self.figure(
        "Uncovered in this change", changes.patch.value.map { CountText.plain($0.tally.uncovered) } ?? "unknown",
        whole: changes.patch.value.map { "of \(CountText.counted($0.tally.total, "changed line"))\(Self.left($0))" }
          ?? changes.patch.reason ?? "", link: changes.patch.value == nil ? nil : "#change"),
      Self.figure(
        "Lost and gained", lines.map { CountText.plain($0[.lost]) } ?? "unknown",
        unit: lines.map { "lost · \(CountText.plain($0[.gained])) gained" },
        whole: lostParts ?? changes.comparison.reason ?? ""),
    ]
  }

  private static func figure(_ name: String, _ value: String, unit: String? = nil, whole: String, link: String? = nil)
    -> TemplateValue
  {
    .record([
      "name": .text(name), "value": .text(value), "delta": .missing, "whole": .shown(whole), "bar": .missing,
      "unit": .optional(unit), "link": .optional(link),
    ])
  }
}
