package import Model
import Syntax

extension FileCoverage {
  /// Returns the coverage with lines that hold only closing brackets changed from partly run to run, if the code that
  /// never ran begins after their text.
  ///
  /// After the `}` of a block that always exits, LLVM begins the region of the code that follows. It never ran, as the
  /// lines below show, but none of it is visible on the line with the bracket.
  /// - Parameter source: the text of the file.
  package func withWholeClosings(in source: [UInt8]) -> FileCoverage {
    guard totals.lines.partial > 0 else { return self }
    let places = SourceLines(source)
    func bytes(ofLine line: Int) -> ArraySlice<UInt8> { places[line].map { source[$0] } ?? [] }
    var closings: Set<Int> = []
    for line in lines where line.state == .partlyRan {
      let text = bytes(ofLine: line.line)
      guard text.contains(where: { !$0.isSpace }), text.allSatisfy({ $0.isSpace || Self.isClosing($0) })
      else { continue }
      closings.insert(line.line)
    }
    for stretch in deadStretches where closings.contains(stretch.line) {
      let text = bytes(ofLine: stretch.line)
      let first = min(max(stretch.columns.lowerBound - 1, 0), text.count)
      let end = min(max(stretch.columns.upperBound - 1, first), text.count)
      if text.dropFirst(first).prefix(end - first).contains(where: { !$0.isSpace }) {
        closings.remove(stretch.line)
      }
    }
    guard !closings.isEmpty else { return self }
    var file = self
    for index in lines.indices where closings.contains(lines[index].line) { file.lines[index].state = .ran }
    file.deadStretches.removeAll { closings.contains($0.line) }
    file.totals.lines.partial -= closings.count
    return file
  }

  private static func isClosing(_ byte: UInt8) -> Bool { "})],;".utf8.contains(byte) }
}
