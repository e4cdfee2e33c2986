import Model
import Syntax

@testable import Rendering

/// A text in which regions are marked: `‹3:` begins one that ran three times, `›` ends it.
struct CountedText {
  private(set) var bytes: [UInt8] = []
  private var regions: [CoverageRegion] = []

  init(_ marked: String) {
    var open: [(start: SourcePosition, count: UInt64)] = []
    var place = SourcePosition(line: 1, column: 1)
    var rest = marked[...]
    while let character = rest.popFirst() {
      switch character {
      case "‹":
        let count = rest.prefix { $0 != ":" }
        rest = rest.dropFirst(count.count + 1)
        open.append((place, UInt64(count) ?? .max))
      case "›":
        guard let region = open.popLast() else { break }
        regions.append(CoverageRegion(start: region.start, end: place, count: region.count))
      default:
        bytes += Array(character.utf8)
        place.column += character.utf8.count
        if character == "\n" { place = SourcePosition(line: place.line + 1, column: 1) }
      }
    }
  }

  /// The coverage with the lines as LLVM counts them.
  var coverage: FileCoverage {
    let function = FunctionCoverage(name: "f()", symbol: "", count: 9, regions: regions)
    var coverage = file(lines: [], functions: [function])
    let steps = coverage.countSteps
    for line in 1...(SourceLines.count(bytes)) {
      let wrapped = steps.last { $0.start.line < line }?.count
      let entries = steps.filter { $0.start.line == line && $0.isEntry }.compactMap(\.count)
      guard let count = (entries + [wrapped].compactMap { $0 }).max() else { continue }
      let state: LineState = count == 0 ? .neverRan : entries.contains(0) ? .partlyRan : .ran
      coverage.lines.append(LineCoverage(line: line, count: count, state: state))
    }
    return coverage
  }

  /// The text with the counts inside of its lines, such as `a ?? «1»b`.
  func shown(path: String = "a.swift") -> String {
    let source = HighlightedSource(bytes, path: path)
    var text: [UInt8] = []
    var position = 0
    for part in coverage.partCounts(in: source) {
      let place = source.range(ofLine: part.line).lowerBound + part.column - 1
      text += bytes[position..<place] + Array("«\(RunCountText.shown(part.count))»".utf8)
      position = place
    }
    return String(decoding: text + bytes[position...], as: UTF8.self)
  }
}

/// What a marked text shows of the counts inside of its lines.
func countsShown(_ marked: String, path: String = "a.swift") -> String { CountedText(marked).shown(path: path) }
