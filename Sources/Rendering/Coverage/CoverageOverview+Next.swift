import Glibc
import Model

extension CoverageOverview {
  private static let mostNext = 10
  private static let mostTraps = 40
  /// Calls that are there to stop the program, which a test seldom wants to reach.
  private static let traps = ["fatalError(", "preconditionFailure(", "assertionFailure("].map { Array($0.utf8) }

  /// The lists that help to move forward.
  func next(_ coverage: Coverage) -> TemplateValue {
    let next = NextFunctions(coverage, most: Self.mostNext)
    let traps = trapLines(coverage)
    guard !next.winding.isEmpty || !next.easy.isEmpty || !traps.isEmpty else { return .missing }
    return .record([
      "winding": list(next.winding, of: next.windingCount) { "\(CountText.plain($0.paths)) ways" },
      "easy": list(next.easy, of: next.easyCount) { CountText.counted(NextFunctions.lines(of: $0.function), "line") },
      "traps": traps.isEmpty
        ? .missing
        : .record([
          "count": .text(
            "\(CountText.counted(traps.count, "line")) of \(CountText.plain(coverage.totals.lines.uncovered)) that never ran"
          ),
          "rows": .list(traps.prefix(Self.mostTraps).map(row)),
          "more": traps.count > Self.mostTraps
            ? .text("and \(CountText.plain(traps.count - Self.mostTraps)) more") : .missing,
        ]),
    ])
  }

  private func list(_ entries: [NextFunctions.Entry], of count: Int, size: (NextFunctions.Entry) -> String)
    -> TemplateValue
  {
    guard !entries.isEmpty else { return .missing }
    let rows = entries.map { entry in
      TemplateValue.record([
        "name": .html(FunctionRows.breakable(entry.function.name)),
        "place": .shown("\(entry.file.fileName):\(entry.function.line)"),
        "link": link(entry.file.path, entry.function.line).map { .shown($0) } ?? .missing,
        "size": .text(size(entry)),
        "calls": .text(RunCountText.short(entry.function.count).map { "\($0)×" } ?? "ran"),
        "uncovered": .text(CountText.plain(entry.uncoveredRegions)),
        "regions": .text(CountText.plain(entry.function.regions.count)),
      ])
    }
    return .record([
      "rows": .list(rows),
      "count": .text(
        count > entries.count ? "\(entries.count) of \(CountText.plain(count))" : CountText.plain(count)),
    ])
  }

  // MARK: - Traps

  private struct Trap {
    var file: FileCoverage
    var line: Int
    /// The beginning of the block that the line is in, which its page has an anchor for.
    var anchor: Int
    var text: String
  }

  private func trapLines(_ coverage: Coverage) -> [Trap] {
    coverage.files.flatMap { file -> [Trap] in
      // Few files have any: whole files are searched faster than lines.
      guard file.totals.lines.uncovered > 0, let bytes = text(file.path), Self.traps.contains(where: bytes.holds) else {
        return []
      }
      let starts = HighlightedSource.lineStarts(bytes)
      return file.uncoveredBlocks.flatMap { block in
        block.lines.compactMap { line in
          guard line >= 1, line < starts.count else { return nil }
          let text = bytes[starts[line - 1]..<starts[line]]
          guard Self.traps.contains(where: { Array(text).holds($0) }) else { return nil }
          let shown = text.drop { SwiftHighlighter.isBlank($0) }.prefix(120).prefix { $0 != UInt8(ascii: "\n") }
          return Trap(
            file: file, line: line, anchor: block.lines.lowerBound, text: String(decoding: shown, as: UTF8.self))
        }
      }
    }
  }

  private func row(_ trap: Trap) -> TemplateValue {
    .record([
      "place": .shown("\(trap.file.fileName):\(trap.line)"),
      "link": link(trap.file.path, trap.anchor).map { .shown($0) } ?? .missing,
      "code": .shown(trap.text),
    ])
  }
}

extension [UInt8] {
  /// Whether other bytes stand somewhere in these.
  fileprivate func holds(_ other: [UInt8]) -> Bool {
    // A capital is rarer than the letters before it.
    let rare = other.firstIndex { $0 &- UInt8(ascii: "A") < 26 } ?? 0
    return withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, other.count <= bytes.count else { return other.isEmpty }
      var next = rare
      let end = bytes.count - (other.count - rare)
      while next <= end, let found = memchr(start + next, Int32(other[rare]), end - next + 1) {
        next = start.distance(to: UnsafeRawPointer(found))
        if memcmp(start + (next - rare), other, other.count) == 0 { return true }
        next += 1
      }
      return false
    }
  }
}
