import Model

@testable import Rendering

func file(
  _ path: String = "Sources/A/A.swift", target: String = "A", lines: [LineCoverage], dead: [DeadStretch] = [],
  functions: [FunctionCoverage] = [], llvm: Tally? = nil
) -> FileCoverage {
  let tally = LineTally(
    total: lines.count, covered: lines.count { $0.state != .neverRan }, partial: lines.count { $0.state == .partlyRan })
  let calls = Tally(total: functions.count, covered: functions.count { $0.count > 0 })
  return FileCoverage(
    path: path, target: target, lines: lines, deadStretches: dead, functions: functions,
    totals: CoverageTotals(lines: tally, regions: calls, functions: calls),
    llvmLines: llvm ?? Tally(total: tally.total, covered: tally.covered))
}

/// The whole table of a Swift source.
func html(
  _ source: String, lines: [LineCoverage], dead: [DeadStretch] = [], neighbours: SourceListing.Neighbours = .init()
) -> String {
  let listing = SourceListing(
    HighlightedSource(Array(source.utf8), path: "a.swift"), coverage: file(lines: lines, dead: dead),
    neighbours: neighbours)
  return String(decoding: listing.html().bytes, as: UTF8.self)
}

/// The rows of the table's body, without those that give a reason.
func rows(
  _ source: String, lines: [LineCoverage], dead: [DeadStretch] = [], neighbours: SourceListing.Neighbours = .init()
) -> [String] {
  let table = html(source, lines: lines, dead: dead, neighbours: neighbours)
  let body = table.split(separator: "<tbody>\n")[1].split(separator: "</tbody>")[0]
  return body.split(separator: "<tr ").map { "<tr \($0)" }.filter { !$0.contains("class=why") }
}

/// The source cell of the first row, without its line feed.
func text(_ source: String, lines: [LineCoverage], dead: [DeadStretch]) -> String {
  let row = rows(source, lines: lines, dead: dead)[0]
  return String(row.split(separator: "<td>", omittingEmptySubsequences: false)[3].dropLast())
}

/// The text of markup as a reader sees it.
func visibleText(_ markup: String) -> String {
  var text = ""
  var isTag = false
  for scalar in markup.unicodeScalars {
    switch scalar {
    case "<": isTag = true
    case ">": isTag = false
    default: if !isTag { text.unicodeScalars.append(scalar) }
    }
  }
  return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
}
