import Model

/// The two operands of an assertion, divided into pieces that differ and pieces that do not.
struct Operands {
  let first: [WordDifference.Piece]
  let second: [WordDifference.Piece]
  /// How they relate, which is the reason for the failure.
  let relation: String
  private let difference: WordDifference

  init?(_ parsed: ParsedFailure) {
    guard let first = parsed.first, let second = parsed.second else { return nil }
    difference = WordDifference(VisibleText.of(first), VisibleText.of(second))
    self.first = difference.first
    self.second = difference.second
    relation = parsed.relation.map { Self.opposites[$0] ?? $0 } ?? "and"
  }

  /// What holds where an operator of Swift does not, and the same for what XCTest says in words.
  static let opposites = [
    "==": "≠", "!=": "=", "<": "≥", ">": "≤", "<=": ">", ">=": "<", "is not equal to": "≠", "is equal to": "=",
    "is not less than": "≥", "is not greater than": "≤", "is less than": "<", "is greater than": ">",
  ]

  /// Whether they are equal, which the assertion rules out.
  var areEqual: Bool { relation == Self.opposites["!="] }

  /// The number of places where the operands differ, and the place if there is only one short one; nil if the operands
  /// are equal.
  var places: (count: Int, only: (first: String, second: String)?)? {
    let places = difference.places
    guard let place = places.first else { return nil }
    let isShort = place.first.count <= 60 && place.second.count <= 60
    return (places.count, places.count == 1 && isShort ? place : nil)
  }

  /// Whether the marks in the operands are enough to see the difference: both are short, and what differs is not blank.
  var showsDifference: Bool {
    let pieces = first + second
    return !pieces.contains { $0.differs && $0.text.allSatisfy(\.isWhitespace) }
      && pieces.reduce(0) { $0 + $1.text.count } <= 240
  }

  /// Whether a line of prose has all of both.
  var fitOnLine: Bool {
    let brief = areEqual ? brief(around: 20, limit: 100) : brief()
    return brief.first == first && brief.second == second
  }

  /// The maximum characters of an operand that is shown in full; longer ones are shown without their common parts, and
  /// in full on demand.
  static let longest = 1200

  var isLong: Bool {
    [first, second].contains { pieces in pieces.reduce(0) { $0 + $1.text.count } > Self.longest }
  }

  /// Returns the pieces with long common stretches reduced to the text beside a difference.
  static func folded(_ pieces: [WordDifference.Piece], around: Int = 120) -> [WordDifference.Piece] {
    pieces.enumerated().map { index, piece in
      let head = index == 0 ? "" : String(piece.text.prefix(around))
      let tail = index == pieces.count - 1 ? "" : String(piece.text.suffix(around))
      let left = piece.text.count - head.count - tail.count
      guard left > around else { return piece }
      let word = piece.differs ? "more" : "alike"
      let shown = head.isEmpty && tail.isEmpty ? String(piece.text.prefix(around)) : head
      let parts = [shown, "… \(CountText.plain(left)) characters \(word) …", tail].filter { !$0.isEmpty }
      return .init(text: parts.joined(separator: " "), differs: piece.differs)
    }
  }

  /// Returns both for a line of prose: of values of which several lines differ, the first ones that do.
  func brief(around: Int = 30, limit: Int = 160) -> (first: [WordDifference.Piece], second: [WordDifference.Piece]) {
    let (one, other) = firstLines ?? (first, second)
    return (Self.brief(one, around: around, limit: limit), Self.brief(other, around: around, limit: limit))
  }

  /// The first lines that differ, without blank ones; nil unless there are several.
  private var firstLines: (first: [WordDifference.Piece], second: [WordDifference.Piece])? {
    let sides = [first, second].map { side in
      side.map(\.text).joined().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    let runs = SequenceDifference.runs(sides[0], sides[1])
    let different = runs.filter { !$0.isSame }
    guard different.reduce(0, { $0 + $1.first.count + $1.second.count }) > 2, let run = different.first,
      let one = run.first.first(where: { !sides[0][$0].allSatisfy(\.isWhitespace) }),
      let other = run.second.first(where: { !sides[1][$0].allSatisfy(\.isWhitespace) })
    else { return nil }
    func trimmed(_ line: String) -> String { String(line.drop(while: \.isWhitespace)) }
    let difference = WordDifference(trimmed(sides[0][one]), trimmed(sides[1][other]))
    func cut(_ pieces: [WordDifference.Piece], at line: Int, of lines: [String]) -> [WordDifference.Piece] {
      let (before, after) = (line > 0 ? "… " : "", line < lines.count - 1 ? " …" : "")
      return [.init(text: before, differs: false)].filter { !$0.text.isEmpty } + pieces
        + [.init(text: after, differs: false)].filter { !$0.text.isEmpty }
    }
    return (cut(difference.first, at: one, of: sides[0]), cut(difference.second, at: other, of: sides[1]))
  }

  /// Returns the pieces for a line of prose, without lines that do not differ, and without text far from a difference.
  static func brief(_ pieces: [WordDifference.Piece], around: Int = 30, limit: Int = 160) -> [WordDifference.Piece] {
    // A page joins lines.
    let pieces = pieces.enumerated().map { index, piece in
      let text = piece.differs ? piece.text : onLines(ofDifferences: piece.text, index, of: pieces.count)
      return WordDifference.Piece(text: text.replacing("\n", with: "\\n"), differs: piece.differs)
    }
    guard pieces.reduce(0, { $0 + $1.text.count }) > limit else { return pieces }
    var left = limit
    var brief: [WordDifference.Piece] = []
    for (index, piece) in pieces.enumerated() {
      guard left > 0 else {
        if brief.last?.text.hasSuffix("…") != true { brief.append(.init(text: "…", differs: false)) }
        break
      }
      var text = piece.text
      if !piece.differs, text.count > 2 * around {
        let head = index == 0 ? "" : beginning(of: text, around)
        let tail = index == pieces.count - 1 ? "" : end(of: text, around)
        text = "\(head)…\(tail)"
        if pieces.count == 1 { text = beginning(of: piece.text, limit) + "…" }
      } else if text.count > left {
        text = beginning(of: text, left) + "…"
      }
      brief.append(.init(text: text, differs: piece.differs))
      left -= text.count
    }
    return brief
  }

  /// Returns the first characters of a longer text, up to the last whole word of at least half of them.
  private static func beginning(of text: String, _ count: Int) -> String {
    let head = text.prefix(count)
    if text.dropFirst(head.count).first == " " { return String(head) }
    guard let space = head.lastIndex(of: " "), head.distance(from: space, to: head.endIndex) <= count / 2 else {
      return String(head)
    }
    return String(head[..<space])
  }

  /// Returns the last characters of a longer text, from the first whole word of at least half of them.
  private static func end(of text: String, _ count: Int) -> String {
    let tail = text.suffix(count)
    guard let space = tail.firstIndex(of: " "), tail.distance(from: tail.startIndex, to: space) < count / 2 else {
      return String(tail)
    }
    return String(tail[tail.index(after: space)...])
  }

  /// Returns what of a piece that does not differ stands on the lines of those beside it that do.
  private static func onLines(ofDifferences text: String, _ index: Int, of count: Int) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // Between two lines that both differ nothing is left out.
    let isWhole = lines.count == 2 && index > 0 && index < count - 1
    guard lines.count > 1, count > 1, !isWhole else { return text }
    let first = index == 0 ? "" : "\(lines[0]) "
    let last = index == count - 1 ? "" : " \(lines[lines.count - 1].drop(while: \.isWhitespace))"
    return "\(first)…\(last)"
  }

  static func record(_ pieces: [WordDifference.Piece]) -> TemplateValue {
    .list(pieces.map { .record(["text": .text($0.text), "differs": .flag($0.differs)]) })
  }
}
