import CLibgit2
import Model

/// Lines that changed in one place, and the unchanged ones behind them.
///
/// Where lines were changed and others added below them, the text may have several shortest differences. Git's own keeps
/// all of the change together, so that an unchanged line behind it, such as the brace at the end of a function, is told to
/// be that of a new function below. Here lines are replaced by as many, as far as that makes no difference larger.
struct ChangedRun<Line: Equatable> {
  /// The number of the first line in the old text, and in the new one.
  let (old, new): (Int, Int)
  var removed: [Line] = []
  var added: [Line] = []
  /// The unchanged lines behind, up to the next change, as far as they are known.
  var following: [Line] = []

  init(old: Int, new: Int) { (self.old, self.new) = (old, new) }

  /// The changes: one, or a replacement and, behind unchanged lines, what was added or removed.
  var hunks: [LineMap.Hunk] {
    let replaced = min(removed.count, added.count)
    let rest = (removed.count > added.count ? removed : added).dropFirst(replaced)
    let kept = replaced == 0 ? 0 : zip(rest, following).prefix { $0 == $1 }.count
    let (oldEnd, newEnd) = (old + removed.count, new + added.count)
    guard kept > 0 else { return [LineMap.Hunk(old: old..<oldEnd, new: new..<newEnd)] }
    let ends = (old: old + replaced, new: new + replaced)
    return [
      LineMap.Hunk(old: old..<ends.old, new: new..<ends.new),
      LineMap.Hunk(old: ends.old + kept..<oldEnd + kept, new: ends.new + kept..<newEnd + kept),
    ]
  }
}

/// The changes of one hunk of a patch, whose lines they refer to.
struct ChangedRuns {
  /// The number of unchanged lines that a patch has around each change.
  static let context: UInt32 = 8

  /// A line of a patch, with its end; valid as long as the patch.
  private struct Line: Equatable {
    let bytes: UnsafeRawBufferPointer

    static func == (one: Line, other: Line) -> Bool { one.bytes.elementsEqual(other.bytes) }
  }

  private var (old, new): (Int, Int)
  private var runs: [ChangedRun<Line>] = []
  private var isInRun = false

  /// - Parameters:
  ///   - old: the number of the hunk's first line in the old text.
  ///   - new: the same in the new text.
  init(old: Int, new: Int) { (self.old, self.new) = (old, new) }

  var hunks: [LineMap.Hunk] { runs.flatMap(\.hunks) }

  /// Takes the next line of the hunk.
  mutating func add(_ line: git_diff_line) {
    let text = Line(bytes: UnsafeRawBufferPointer(start: line.content, count: line.content_len))
    switch line.origin {
    case CChar(GIT_DIFF_LINE_CONTEXT.rawValue):
      isInRun = false
      if !runs.isEmpty { runs[runs.count - 1].following.append(text) }
      (old, new) = (old + 1, new + 1)
    case CChar(GIT_DIFF_LINE_DELETION.rawValue):
      begin()
      runs[runs.count - 1].removed.append(text)
      old += 1
    case CChar(GIT_DIFF_LINE_ADDITION.rawValue):
      begin()
      runs[runs.count - 1].added.append(text)
      new += 1
    // What it says of the end of a text is no line.
    default: break
    }
  }

  private mutating func begin() {
    if !isInRun { runs.append(ChangedRun(old: old, new: new)) }
    isInRun = true
  }
}
