import Model

/// A group of related changed lines.
struct ChangeEntry {
  /// Whether they are good news, named as in the style sheet.
  enum Tone: String {
    case worse, part, better
    case neutral = "dim"
  }

  var file: FileCoverage
  var block: ClosedRange<Int>
  var sign: String
  /// The colour of the sign.
  var tone: Tone
  var what: String
  /// Whether no part of the lines ran.
  var neverRan = true
  /// Why a part of the line did not run, if the source shows it.
  var reason: String?
  /// The number of uncounted lines in between, which hold only comments or blanks.
  var silent = 0
}

extension CoverageOverview {
  func newEntries(_ patch: PatchCoverage?, _ files: [String: FileCoverage]) -> [ChangeEntry] {
    guard let patch, patch.origin != .nothing else { return [] }
    return patch.files.flatMap { touched -> [ChangeEntry] in
      guard let file = files[touched.path] else { return [] }
      let silent = Set(touched.silent)
      return touched.neverRan.blocks(bridging: silent).map { block in
        // The heading says that they are new and never ran.
        ChangeEntry(
          file: file, block: block, sign: "+", tone: .worse, what: file.isHeader ? file.neverRanWords : "",
          silent: block.count(where: silent.contains))
      }
    }
  }

  /// Returns the lines of earlier changes that a gate failed for: those that it counts and that never ran.
  func earlierEntries(_ files: [String: FileCoverage]) -> [ChangeEntry] {
    integration.linesOfEarlierChanges.sorted { $0.key < $1.key }.flatMap { path, lines -> [ChangeEntry] in
      guard let file = files[path] else { return [] }
      let neverRan = file.lines.filter { $0.state == .neverRan && lines[$0.line] != nil }.map(\.line)
      // The heading says that they never ran.
      return Self.entries(neverRan, of: file, "+", .worse, file.isHeader ? file.neverRanWords : "", neverRan: true)
    }
  }

  /// The integration since which gates count those lines; missing if they count since several.
  var earlierSince: TemplateValue {
    let all = Set(integration.linesOfEarlierChanges.values.flatMap(\.values))
    guard all.count == 1, let number = all.first else { return .missing }
    return .record([
      "number": .text("\(number)"), "link": .text("\(integration.wayOut)\(number)/index.html"),
    ])
  }

  func lostEntries(_ comparison: CoverageComparison?, _ files: [String: FileCoverage]) -> [ChangeEntry] {
    guard let comparison else { return [] }
    let lines = comparison.files.flatMap { changed -> [ChangeEntry] in
      guard let file = files[changed.path] else { return [] }
      let lost = changed.lines(.lost)
      return lost.map(\.line).blocks().map { block in
        let before = lost.filter { block.contains($0.line) }.compactMap(\.before)
        return ChangeEntry(
          file: file, block: block, sign: "▼", tone: .worse,
          what: "lost, \(ChangeWords.before(before, in: comparison.baseline))")
      }
    }
    let parts = comparison.files.flatMap { changed -> [ChangeEntry] in
      guard let file = files[changed.path] else { return [] }
      return Self.entries(
        changed.lostPartLines, of: file, "▼", .worse, "a part is lost, it ran in \(comparison.baseline)")
    }
    return lines + parts
  }

  /// Returns the changed lines that partly ran, each with the reason that the source shows.
  func partlyEntries(_ patch: PatchCoverage?, _ files: [String: FileCoverage]) -> [ChangeEntry] {
    guard let patch, patch.origin != .nothing else { return [] }
    return patch.files.flatMap { touched -> [ChangeEntry] in
      guard let file = files[touched.path], !touched.partlyRan.isEmpty else { return [] }
      let stretches = Dictionary(grouping: file.deadStretches, by: \.line)
      let source = source(touched.path)
      return touched.partlyRan.map { line in
        let reason = source.flatMap { source in
          stretches[line, default: []].lazy.map { DeadPlace($0, in: file, source) }
            .compactMap { place in PartlyRanReason(place)?.sentence(naming: place.quote) }.first
        }
        return ChangeEntry(
          file: file, block: line...line, sign: "+", tone: .part, what: "new, partly ran", neverRan: false,
          reason: reason.map(file.reason))
      }
    }
  }

  func gainedEntries(_ comparison: CoverageComparison, _ files: [String: FileCoverage]) -> [ChangeEntry] {
    comparison.files.flatMap { changed -> [ChangeEntry] in
      guard let file = files[changed.path] else { return [] }
      return Self.entries(
        changed.lines(.gained).map(\.line), of: file, "▲", .better, "gained, did not run in \(comparison.baseline)")
    }
  }

  func chanceEntries(_ comparison: CoverageComparison, _ files: [String: FileCoverage]) -> [ChangeEntry] {
    comparison.files.flatMap { changed -> [ChangeEntry] in
      guard let file = files[changed.path] else { return [] }
      func entries(_ lines: [Int], _ what: String, neverRan: Bool = false) -> [ChangeEntry] {
        Self.entries(lines, of: file, "~", .neutral, "by chance: \(what)", neverRan: neverRan)
      }
      func lines(_ category: ChangeCategory) -> [Int] {
        changed.byChance.filter { $0.category == category }.map(\.line)
      }
      let before = comparison.baseline
      return entries(lines(.lost), "ran in \(before), not here", neverRan: true)
        + entries(lines(.gained), "ran here, not in \(before)")
        + entries(changed.partsByChance, "a part ran in \(before), not here")
    }
  }

  /// Returns an entry for each block of some lines of a file.
  private static func entries(
    _ lines: [Int], of file: FileCoverage, _ sign: String, _ tone: ChangeEntry.Tone, _ what: String,
    neverRan: Bool = false
  ) -> [ChangeEntry] {
    lines.blocks().map {
      ChangeEntry(file: file, block: $0, sign: sign, tone: tone, what: what, neverRan: neverRan)
    }
  }

  func record(of entry: ChangeEntry) -> TemplateValue {
    var fields = fields(of: entry.block, in: entry.file, neverRan: entry.neverRan)
    if entry.silent > 0 {
      let count = entry.block.count - entry.silent
      fields["count"] = .text(CountText.plain(count))
      fields["unit"] = .text(CountText.agreeing(count, "line", "lines"))
    }
    fields["sign"] = .text(entry.sign)
    fields["tone"] = .text(entry.tone.rawValue)
    fields["what"] = .text(entry.what)
    if let reason = entry.reason {
      fields["reason"] = .shown(reason)
      fields["inside"] = .missing
    }
    return .record(fields)
  }
}
