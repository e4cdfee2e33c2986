import Model
import Syntax

extension CoverageOverview {
  private static let mostNext = 10
  private static let mostTraps = 40

  /// Returns the lists that suggest where to add tests next.
  /// - Parameter told: the lines of the blocks that the page lists, by path.
  func next(_ coverage: Coverage, besides told: [String: Set<Int>]) -> TemplateValue {
    let next = NextFunctions(coverage, most: Self.mostNext, besides: told, source: source)
    let traps = trapLines(coverage)
    guard !next.complex.isEmpty || !next.easy.isEmpty || !traps.isEmpty else { return .missing }
    let isOnly = traps.isEmpty && (next.complex.isEmpty || next.easy.isEmpty)
    return .record([
      "complex": list(next.complex, of: next.complexCount, isOnly: isOnly, by: \.complexity) {
        "≥ \(CountText.plain($0))"
      },
      "easy": list(next.easy, of: next.easyCount, isOnly: isOnly, by: { NextFunctions.lines(of: $0.function) }) {
        CountText.counted($0, "line")
      },
      "traps": traps.isEmpty
        ? .missing
        : .record([
          "count": .text(Self.count(traps, uncovered: coverage.totals.lines.uncovered)),
          "rows": .list(traps.prefix(Self.mostTraps).map(row)),
          "more": traps.count > Self.mostTraps
            ? .text("and \(CountText.plain(traps.count - Self.mostTraps)) more") : .missing,
        ]),
    ])
  }

  /// - Parameters:
  ///   - count: the number of all entries; nil if it was not counted.
  ///   - isOnly: whether there is no other list.
  ///   - words: formats the size of an entry.
  private func list(
    _ entries: [NextFunctions.Entry], of count: Int?, isOnly: Bool, by size: (NextFunctions.Entry) -> Int,
    words: (Int) -> String
  ) -> TemplateValue {
    guard !entries.isEmpty else { return .missing }
    let rows = entries.map { entry in
      TemplateValue.record([
        "name": .name(entry.function.name),
        "place": .name("\(names[entry.file.path]):\(entry.firstGap)"),
        "link": .shown(ifAny: link(entry.file.path, entry.gapAnchor)),
        "size": .text(words(size(entry))),
        "sizeValue": .number(size(entry)),
        "calls": .text(RunCountText.shown(entry.function.count)),
        "callsValue": entry.function.count.isUnderflow ? .missing : .text("\(entry.function.count)"),
        "uncovered": .text(CountText.plain(entry.uncoveredRegions)),
        "regions": .text(CountText.plain(entry.function.regions.count)),
      ])
    }
    return .record([
      "rows": .list(rows), "isOnly": .flag(isOnly),
      "count": .text(
        count.map { $0 > entries.count ? "\(entries.count) of \(CountText.plain($0))" : CountText.plain($0) }
          ?? "the first \(entries.count)"),
    ])
  }

  private struct Trap {
    var file: FileCoverage
    var line: Int
    /// The first line of the block that holds the line; the page has an anchor for it.
    var anchor: Int
    var text: String
    /// Whether the line ran up to the call that stops the program.
    var isPart = false
  }

  private static func count(_ traps: [Trap], uncovered: Int) -> String {
    let parts = traps.count(where: \.isPart)
    let whole = traps.count - parts
    let words = [
      whole > 0 ? "\(CountText.counted(whole, "line")) of \(CountText.plain(uncovered)) that never ran" : nil,
      parts > 0 ? "\(CountText.counted(parts, "line")) that ran up to there" : nil,
    ]
    return words.compactMap { $0 }.joined(separator: ", ")
  }

  private func trapLines(_ coverage: Coverage) -> [Trap] {
    coverage.files.flatMap { file -> [Trap] in
      // Few files have any: searching a whole file is faster than searching its lines, and needs no highlighting.
      guard file.totals.lines.uncovered + file.totals.lines.partial > 0,
        let bytes = text(file.path), StoppingCalls.mayBe(in: bytes), let source = source(file.path)
      else { return [] }
      let calls = StoppingCalls(in: source.code)
      func trap(_ line: Int, _ columns: Range<Int>? = nil, anchor: Int) -> Trap? {
        let whole = source.range(ofLine: line)
        guard calls.isOne(in: columns.map { source.trimmed($0, in: whole) } ?? whole) else { return nil }
        let shown = source.bytes[whole].drop(while: \.isBlank).prefix(120)
        return Trap(
          file: file, line: line, anchor: anchor, text: String(decoding: shown, as: UTF8.self), isPart: columns != nil)
      }
      let whole = file.uncoveredBlocks.flatMap { block in
        block.compactMap { trap($0, anchor: block.lowerBound) }
      }
      var taken = Set(whole.map(\.line))
      let parts = file.deadStretches.compactMap { trap($0.line, $0.columns, anchor: $0.line) }
        .filter { taken.insert($0.line).inserted }
      return whole + parts
    }
  }

  private func row(_ trap: Trap) -> TemplateValue {
    .record([
      "place": .name("\(names[trap.file.path]):\(trap.line)"),
      "link": .shown(ifAny: link(trap.file.path, trap.anchor)),
      "code": .shown(trap.text),
    ])
  }
}
