/// Lines that were removed from a file.
package struct RemovedLines: Hashable, Sendable {
  /// The current line that follows them; at the end of the file, one more than the number of lines.
  package var before: Int
  /// The earlier number of the first line.
  package var first: Int
  /// The text of the lines, including line feeds; cut after the first ones if there are very many.
  package var text: [UInt8]
  /// The number of lines.
  package var count: Int
  /// How many of the lines held code, and how many of those ran.
  package var code: Tally

  package init(before: Int, first: Int, text: [UInt8], count: Int, code: Tally) {
    self.before = before
    self.first = first
    self.text = text
    self.count = count
    self.code = code
  }
}

extension SourceHunk {
  /// What it removed, from top to bottom; it does not say how much of that was code.
  package var removedLines: [RemovedLines] {
    var stretches: [RemovedLines] = []
    var isNext = false
    for (index, line) in lines.enumerated() {
      guard line.change == .removed else {
        isNext = false
        continue
      }
      let text = Array("\(line.text)\n".utf8)
      if isNext, let last = stretches.indices.last {
        stretches[last].text += text
        stretches[last].count += 1
      } else {
        let following = lines[index...].first { $0.change != .removed }?.number
        let before = lines[..<index].last { $0.change != .removed }?.number ?? 0
        stretches.append(
          RemovedLines(before: following ?? before + 1, first: line.number, text: text, count: 1, code: Tally()))
      }
      isNext = true
    }
    return stretches
  }
}
