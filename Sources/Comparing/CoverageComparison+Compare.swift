package import Model

extension CoverageComparison {
  /// Compares the coverage of an integration with that of an earlier one, line by line and region by region.
  ///
  /// Lines are matched by the diff: a line that the diff did not touch is the same line, even if its file was renamed.
  /// Two regions are the same if their first lines, last lines and columns match; if such a region ran before and no
  /// longer does, or the reverse, its text must be unchanged, too. Code that was lost or gained by chance is still
  /// counted in its category.
  ///
  /// - Parameters:
  ///   - baseline: the number of the earlier integration.
  ///   - difference: the changes from the earlier commit to this one, with paths as in the coverage.
  ///   - witnesses: other integrations, which show which lost and gained code runs by chance.
  package init(
    of now: Coverage, with before: Coverage, baseline: Int, difference: SourceDifference,
    witnesses: CoverageEvidence = CoverageEvidence()
  ) {
    let old = before.files.keyed(by: \.path)
    var found: Set<String> = []
    var files: [FileComparison] = []
    var unmapped: [UnmappedFile] = []
    var (telling, tellingBefore): (Set<Int>, Set<Int>) = ([], [])
    var flaky: Set<TestID> = []
    var leftOut = LeftOutFinder(now: now, before: before)
    for file in now.files {
      let change = difference.file(at: file.path)
      let isAdded = change?.status == .added
      let oldPath = change?.oldPath ?? file.path
      if !isAdded { found.insert(oldPath) }
      if let obstacle = difference.obstacle(at: file.path) {
        unmapped.append(UnmappedFile(path: file.path, obstacle: obstacle))
        leftOut.skip(file.path, change)
        continue
      }
      let map = change?.lines ?? .identity
      let match = FileMatch(
        file, before: isAdded ? nil : old[oldPath], lines: map, isNew: isAdded, witnesses: witnesses)
      files.append(match.comparison)
      leftOut.look(at: match.comparison, change)
      telling.formUnion(match.witnesses?.tellingNow ?? [])
      tellingBefore.formUnion(match.witnesses?.tellingBefore ?? [])
      flaky.formUnion(match.witnesses?.flakyTests ?? [])
    }
    for file in before.files where !found.contains(file.path) {
      let change = difference.file(from: file.path)
      if let obstacle = difference.obstacle(from: file.path) {
        unmapped.append(UnmappedFile(path: file.path, obstacle: obstacle))
        leftOut.skip(file.path, change)
      } else {
        var gone = FileComparison(gone: file, isDeleted: change?.status == .deleted, lines: change?.lines)
        if let path = change?.newPath, path != file.path { gone.newPath = path }
        files.append(gone)
        leftOut.look(at: gone, change)
      }
    }
    self.init(baseline: baseline, before: before.totals, files: files, unmapped: unmapped)
    self.witnesses = telling.union(tellingBefore).sorted()
    baselineWitnesses = tellingBefore.sorted()
    flakyTests = flaky.sorted()
    self.leftOut = leftOut.lines
  }
}

extension CoverageComparison {
  /// Compares two coverages, asking for the witnesses only if something was lost or gained.
  package init(
    of now: Coverage, with before: Coverage, baseline: Int, difference: SourceDifference,
    asking witnesses: () -> CoverageEvidence
  ) {
    self.init(of: now, with: before, baseline: baseline, difference: difference)
    guard hasLostOrGained else { return }
    let witnesses = witnesses()
    guard !witnesses.isEmpty else { return }
    self.init(of: now, with: before, baseline: baseline, difference: difference, witnesses: witnesses)
  }
}

extension FileComparison {
  /// Describes a file that is no longer counted, because it was deleted or no longer belongs to a counted target.
  fileprivate init(gone file: FileCoverage, isDeleted: Bool, lines map: LineMap?) {
    self.init(path: file.path, totalsBefore: file.totals)
    for line in file.lines {
      let place = isDeleted ? nil : (map ?? .identity).newLine(of: line.line)
      let category = ChangeCategory(goneAndDeleted: place == nil, before: line.count > 0)
      let entry = Line(line: place ?? line.line, category: category, before: line.count)
      if place == nil { deleted.append(entry) } else { excluded.append(entry) }
    }
    for region in file.distinctRegions.values {
      let isGone = isDeleted || (map ?? .identity).place(of: region) == nil
      regions[ChangeCategory(goneAndDeleted: isGone, before: region.count > 0)] += 1
    }
  }
}

/// A file in the two coverages.
private struct FileMatch {
  private(set) var comparison: FileComparison
  /// The evidence of which lines run by chance; nil without any.
  private(set) var witnesses: FileEvidence?

  init(_ file: FileCoverage, before: FileCoverage?, lines map: LineMap, isNew: Bool, witnesses: CoverageEvidence) {
    comparison = FileComparison(path: file.path, totalsBefore: before?.totals)
    if let before, before.path != file.path { comparison.oldPath = before.path }
    if !witnesses.isEmpty, let before { self.witnesses = FileEvidence(witnesses, of: file.path, before: before.path) }
    compareLines(file, before, map, isNew: isNew)
    compareRegions(file, before, map, isNew: isNew)
  }

  /// Whether lost or gained code runs by chance.
  private static func isByChance(_ category: ChangeCategory, _ isByChance: (_ ran: Bool) -> Bool?) -> Bool {
    switch category {
    case .lost: isByChance(false) ?? false
    case .gained: isByChance(true) ?? false
    default: false
    }
  }

  private mutating func compareLines(_ file: FileCoverage, _ before: FileCoverage?, _ map: LineMap, isNew: Bool) {
    let old = (before?.lines ?? []).keyed(by: \.line, \.count)
    let now = Set(file.lines.map(\.line))
    for line in file.lines {
      let place = isNew ? nil : map.oldLine(of: line.line)
      let count = place.flatMap { old[$0] }
      let category = ChangeCategory(isNew: place == nil, before: count.map { $0 > 0 }, now: line.count > 0)
      var entry = FileComparison.Line(line: line.line, category: category, before: count)
      entry.isByChance = Self.isByChance(category) { ran in
        witnesses?.isByChance(line: line.line, oldLine: place, ran: ran)
      }
      comparison.lines.append(entry)
      if category == .newRan, line.state == .partlyRan { comparison.newPartlyRan.append(line.line) }
    }
    if !isNew { comparison.newWithoutCode = map.newLines.filter { !now.contains($0) } }
    for line in before?.lines ?? [] {
      let place = map.newLine(of: line.line)
      if let place, now.contains(place) { continue }
      let category = ChangeCategory(goneAndDeleted: place == nil, before: line.count > 0)
      let entry = FileComparison.Line(line: place ?? line.line, category: category, before: line.count)
      if place == nil { comparison.deleted.append(entry) } else { comparison.excluded.append(entry) }
    }
  }

  private mutating func compareRegions(_ file: FileCoverage, _ before: FileCoverage?, _ map: LineMap, isNew: Bool) {
    // If the earlier coverage has no regions, there is nothing to compare the current ones with.
    if let before, before.totals.regions.total > 0, before.functions.allSatisfy({ $0.regions.isEmpty }) { return }
    // The earlier regions by their current place; those that the diff removed have none.
    var old: [RegionSpan: CoverageRegion] = [:]
    for region in (before?.distinctRegions ?? [:]).values {
      if let place = map.place(of: region) {
        old[place] = region
      } else {
        comparison.regions[ChangeCategory(goneAndDeleted: true, before: region.count > 0)] += 1
      }
    }
    var (lost, gained): ([(region: CoverageRegion, isByChance: Bool)], [CoverageRegion]) = ([], [])
    for (span, region) in file.distinctRegions {
      let counterpart = old.removeValue(forKey: span)
      let oldPlace = isNew ? nil : map.oldPlace(of: region)
      let category = ChangeCategory(
        isNew: oldPlace == nil, before: counterpart.map { $0.count > 0 }, now: region.count > 0)
      if category == .lost || category == .gained, !map.isUntouched(region) {
        // The region is no longer the same: the code that was added to it may be the reason.
        comparison.regions[ChangeCategory(goneAndDeleted: true, before: category == .lost)] += 1
        comparison.regions[ChangeCategory(isNew: true, before: nil, now: category == .gained)] += 1
        continue
      }
      comparison.regions[category] += 1
      let isByChance = Self.isByChance(category) { ran in witnesses?.isByChance(span, old: oldPlace, ran: ran) }
      if isByChance { comparison.regionsByChance[category] += 1 }
      if category == .lost { lost.append((region, isByChance)) }
      if category == .gained, !isByChance { gained.append(region) }
    }
    for region in old.values {
      comparison.regions[ChangeCategory(goneAndDeleted: false, before: region.count > 0)] += 1
    }
    tellParts(lost, file)
    tellParts(gained)
  }

  /// Keeps the lines of gained regions that the lines alone do not reveal.
  private mutating func tellParts(_ gained: [CoverageRegion]) {
    let ranBefore = Set(comparison.lines.lazy.filter { $0.category == .stillRan }.map(\.line))
    let gainedLines = comparison.lines(.gained).map(\.line)
    let parts = gained.filter { ranBefore.contains($0.start.line) && !$0.holds(anyOf: gainedLines) }
    comparison.gainedPartLines = Set(parts.map(\.start.line)).sorted()
  }

  /// Keeps the lost regions that the lines alone do not reveal.
  private mutating func tellParts(_ regions: [(region: CoverageRegion, isByChance: Bool)], _ file: FileCoverage) {
    let stillRan = Set(file.lines.lazy.filter { $0.count > 0 }.map(\.line))
    let lost = comparison.lines(.lost).map(\.line)
    let linesByChance = comparison.byChance.map(\.line)
    let parts = regions.filter { stillRan.contains($0.region.start.line) }
    comparison.lostRegions = parts.filter { !$0.isByChance && !$0.region.holds(anyOf: lost) }.map(\.region)
      .sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    let byChance = parts.filter { $0.isByChance && !$0.region.holds(anyOf: linesByChance) }
    comparison.partsByChance = Set(byChance.map(\.region.start.line)).sorted()
  }
}
