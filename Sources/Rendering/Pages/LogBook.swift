import Model

/// The log of one step, divided into lines, and the lines into pages of a reasonable size.
struct LogBook {
  enum Kind: String {
    case error, warning, plain
    /// What was started, with its arguments.
    case command
    /// How a process ended.
    case end
  }

  /// A line, or a part of a very long one.
  struct Line {
    /// From 1; the parts of a long line share it.
    var number: Int
    var isContinued: Bool
    var kind: Kind
    /// What was said before the process that printed it.
    var announcement: RunAnnouncement?
    var bytes: ArraySlice<UInt8>

    var isFinding: Bool { kind == .error || kind == .warning }
  }

  private static let mostLines = 15_000
  /// The maximum bytes of a page, before escaping but including the markup of each line.
  private static let mostBytes = 800_000
  /// Longer lines are divided, so that no part can fill a page by itself after escaping.
  private static let longestLine = 8_000
  private static let costOfLine = 90
  private static let costOfWord = 25
  /// Only the beginning and the end of a huge log have pages: these many bytes, as they are shown.
  private static let mostHead = 12_000_000
  private static let mostTail = 4_000_000

  let step: Step
  let size: Int
  /// The number of lines in the whole log.
  private(set) var lineCount = 0
  private(set) var pages: [[Line]] = [[]]
  /// The first and last lines without a page; nil if all have one.
  private(set) var omitted: ClosedRange<Int>?
  private var weight = 0

  init(_ log: Report.Log) {
    step = log.step
    size = log.bytes.count
    let bytes = log.bytes
    let folder = log.folder.isEmpty ? [] : Array("\(log.folder)/".utf8)
    var kinds = LogKinds()
    let total = Self.shown(bytes[...])
    var (at, before) = (bytes.startIndex, 0)
    while at < bytes.endIndex {
      let end = bytes[at...].firstIndex(of: 0x0A) ?? bytes.endIndex
      lineCount += 1
      let size = Self.shown(bytes[at..<min(end + 1, bytes.endIndex)])
      if Self.isOmitted(size, after: before, of: total) {
        omit()
      } else {
        let line = end > at && bytes[end - 1] == 0x0D ? bytes[at..<(end - 1)] : bytes[at..<end]
        let kind = kinds.kind(of: line)
        let isDeed = kind == .command && LogKinds.announcement(line) == nil || LogKinds.isProgress(line)
        let shown = isDeed ? Self.brief(line) : Self.without(folder, in: line)
        append(shown, kind, kinds.announcement, after: before, of: total)
      }
      before += size
      at = end + 1
    }
  }

  private static func isOmitted(_ size: Int, after before: Int, of total: Int) -> Bool {
    before > mostHead && before + size <= total - mostTail
  }

  private mutating func omit() { omitted = (omitted?.lowerBound ?? lineCount)...lineCount }

  /// Returns what is done with only the last parts of paths, which say what they are: `…/Kitchen`; the log has them whole.
  private static func brief(_ command: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let slash = UInt8(ascii: "/")
    let words = command.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    // Of a program the name alone is usual.
    let program = words.firstIndex { $0.first == slash }
    let brief = words.indices.map { index -> ArraySlice<UInt8> in
      let parts = words[index].first == slash ? words[index].split(separator: slash) : []
      guard parts.count > 1, let last = parts.last else { return words[index] }
      return index == program ? last : Array("…/".utf8)[...] + last
    }
    return Array(brief.joined(separator: [UInt8(ascii: " ")]))[...]
  }

  func count(of kind: Kind) -> Int { Self.heads(of: kind, in: pages.joined()).count }

  /// Returns the lines on which distinct findings begin: of repetitions by attempts or by the compiler in other modules
  /// the first. The first lines of different reports of a sanitizer are alike.
  ///
  /// An error that only reports a failed command is among them only if there is no other error.
  static func heads(of kind: Kind, in lines: some Sequence<Line>) -> [Line] {
    var seen: Set<ArraySlice<UInt8>> = []
    let heads = lines.filter {
      $0.kind == kind && $0.isHead && (LogKinds.sanitizer($0.bytes) != nil || seen.insert($0.bytes).inserted)
    }
    guard kind == .error else { return heads }
    let causes = heads.filter { !isEcho($0.bytes) }
    return causes.isEmpty ? heads : causes
  }

  private static func isEcho(_ line: ArraySlice<UInt8>) -> Bool {
    let mark = "error: "
    let text = String(decoding: line.prefix(4000), as: UTF8.self)
    return text.hasPrefix(mark) && FailureEcho.isEcho(text.dropFirst(mark.count))
  }

  /// The number of errors and warnings, in words; empty if there are none.
  var found: String {
    [(count(of: .error), "error"), (count(of: .warning), "warning")].filter { $0.0 > 0 }
      .map { CountText.counted($0.0, $0.1) }.joined(separator: ", ")
  }

  /// The page and the line of the first error, or else of the first warning; nil if there is neither.
  var firstFinding: (page: Int, line: Int)? {
    for kind in [Kind.error, .warning] {
      guard let first = Self.heads(of: kind, in: pages.joined()).first else { continue }
      let page = pages.firstIndex { page in page.contains { $0.number == first.number } }
      return page.map { ($0 + 1, first.number) }
    }
    return nil
  }

  /// Returns a line with a folder removed from the beginning of paths.
  private static func without(_ folder: [UInt8], in line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = folder.first, line.count >= folder.count else { return line }
    var rest: [UInt8] = []
    var (start, at) = (line.startIndex, line.startIndex)
    while let found = line[at...].firstIndex(of: first), found + folder.count <= line.endIndex {
      at = found + 1
      guard line[found..<(found + folder.count)].elementsEqual(folder) else { continue }
      rest += line[start..<found]
      (start, at) = (found + folder.count, found + folder.count)
    }
    return start == line.startIndex ? line : (rest + line[start...])[...]
  }

  /// Appends a line, of a very long one only the parts that have a page.
  ///
  /// - Parameters:
  ///   - before: what is shown of the lines before it, in bytes, if all of them have a page.
  ///   - total: the same of the whole log.
  private mutating func append(
    _ line: ArraySlice<UInt8>, _ kind: Kind, _ announcement: RunAnnouncement?, after before: Int, of total: Int
  ) {
    var (rest, before) = (line, before)
    var isContinued = false
    repeat {
      let part = rest.prefix(Self.longestLine)
      rest = rest.dropFirst(Self.longestLine)
      let size = Self.shown(part)
      defer {
        before += size
        isContinued = true
      }
      if line.count > Self.longestLine, Self.isOmitted(size, after: before, of: total) {
        omit()
        continue
      }
      // Each word of a command may have an element of its own, and one may follow each comma.
      let words = kind == .command ? part.count { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") } + 1 : 0
      let cost = Self.costOfLine + Self.sum(of: Self.markupSizes, for: part) + words * Self.costOfWord
      if weight + cost > Self.mostBytes || pages[pages.count - 1].count >= Self.mostLines {
        pages.append([])
        weight = 0
      }
      pages[pages.count - 1].append(
        Line(number: lineCount, isContinued: isContinued, kind: kind, announcement: announcement, bytes: part))
      weight += cost
    } while !rest.isEmpty
  }

  /// Returns about how many bytes show these: control characters appear as their numbers.
  private static func shown(_ bytes: ArraySlice<UInt8>) -> Int { sum(of: shownSizes, for: bytes) }

  private static func sum(of sizes: [Int], for bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      sizes.withUnsafeBufferPointer { sizes in bytes.reduce(0) { $0 + sizes[Int($1)] } }
    }
  }

  private static let shownSizes = (UInt8.min...UInt8.max).map { byte in
    switch byte {
    case 0x09, 0x0A, 0x0D, 0x1B, 0x20...: 1
    default: 24
    }
  }

  /// Upper bounds for the markup of each byte: those that are not plain text may be shown as many.
  private static let markupSizes = (UInt8.min...UInt8.max).map { byte in
    switch byte {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"): 6
    case 0x1B: 40
    case 0x20..<0x7F: 1
    default: 24
    }
  }
}

extension LogBook {
  /// Whether it is of scripts, mails and webhooks.
  var isOfTriggers: Bool { [.beforeTriggers, .afterTriggers].contains(step) }
}

extension LogBook.Line {
  /// How a process ended that did not end well; nil for any other line.
  var badEnd: RunEnd? {
    guard kind == .end, let end = LogKinds.end(bytes), !end.succeeded else { return nil }
    return end
  }

  /// Whether a finding begins here rather than continues.
  var isHead: Bool { !isContinued && LogKinds.head(of: bytes) != nil }
}
