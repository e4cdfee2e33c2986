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
        let head = index == 0 ? "" : String(text.prefix(around))
        let tail = index == pieces.count - 1 ? "" : String(text.suffix(around))
        text = "\(head)…\(tail)"
        if pieces.count == 1 { text = String(piece.text.prefix(limit)) + "…" }
      } else if text.count > left {
        text = String(text.prefix(left)) + "…"
      }
      brief.append(.init(text: text, differs: piece.differs))
      left -= text.count
    }
    return brief
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
