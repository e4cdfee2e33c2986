/// Two short texts compared word by word, each divided into pieces that differ or do not.
struct WordDifference {
  /// A stretch of one of the texts.
  struct Piece: Hashable {
    var text: String
    var differs: Bool
  }

  /// The pieces of the first and the second text; each sequence joins to its text.
  private(set) var first: [Piece] = []
  private(set) var second: [Piece] = []

  init(_ first: String, _ second: String) {
    let one = Self.words(of: first)
    let other = Self.words(of: second)
    for run in Self.bridged(SequenceDifference.runs(one, other), words: one) {
      let left = one[run.first].joined()
      let right = other[run.second].joined()
      run.isSame ? append(left, right, differ: false) : appendReplaced(left, right)
    }
  }

  /// The differing stretches, in pairs; one side is empty if its text has no counterpart.
  var places: [(first: String, second: String)] {
    var places: [(String, String)] = []
    var at = (first: 0, second: 0)
    while at.first < first.count || at.second < second.count {
      var place = ("", "")
      while at.first < first.count, first[at.first].differs {
        place.0 += first[at.first].text
        at.first += 1
      }
      while at.second < second.count, second[at.second].differs {
        place.1 += second[at.second].text
        at.second += 1
      }
      if place != ("", "") { places.append(place) }
      at = (at.first + 1, at.second + 1)
    }
    return places
  }

  /// Appends a replaced stretch; if most of it agrees at its ends, only the part between them is marked.
  private mutating func appendReplaced(_ left: String, _ right: String) {
    let one = Array(left)
    let other = Array(right)
    let shorter = min(one.count, other.count)
    var start = 0
    while start < shorter, one[start] == other[start] { start += 1 }
    var end = 0
    while end < shorter - start, one[one.count - 1 - end] == other[other.count - 1 - end] { end += 1 }
    guard (start + end) * 2 >= max(one.count, other.count) else { return append(left, right, differ: true) }
    append(String(one.prefix(start)), String(other.prefix(start)), differ: false)
    append(
      String(one[start..<(one.count - end)]), String(other[start..<(other.count - end)]), differ: true)
    append(String(one.suffix(end)), String(other.suffix(end)), differ: false)
  }

  /// Appends a pair of pieces; equal pieces are kept in step, even if empty, so that places can be paired.
  private mutating func append(_ left: String, _ right: String, differ: Bool) {
    if differ {
      if !left.isEmpty { first.append(Piece(text: left, differs: true)) }
      if !right.isEmpty { second.append(Piece(text: right, differs: true)) }
    } else if let last = first.last, let other = second.last, !last.differs, !other.differs {
      first[first.count - 1].text += left
      second[second.count - 1].text += right
    } else if !left.isEmpty {
      first.append(Piece(text: left, differs: false))
      second.append(Piece(text: right, differs: false))
    }
  }

  /// Joins changes that are separated only by white space, so that the marks are not fragmented.
  private static func bridged(_ runs: [SequenceDifference.Run], words: [String]) -> [SequenceDifference.Run] {
    var joined: [SequenceDifference.Run] = []
    for (index, run) in runs.enumerated() {
      let isBridge =
        run.isSame && index > 0 && index < runs.count - 1 && run.first.count == 1
        && words[run.first.lowerBound].allSatisfy(\.isWhitespace)
      if (isBridge || !run.isSame), let last = joined.last, !last.isSame {
        joined[joined.count - 1].first = last.first.lowerBound..<run.first.upperBound
        joined[joined.count - 1].second = last.second.lowerBound..<run.second.upperBound
      } else {
        joined.append(run)
      }
    }
    return joined
  }

  /// Returns runs of letters and digits, runs of white space, and every other character by itself.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var lastKind = 0
    for character in text {
      let kind = character.isLetter || character.isNumber || character == "_" ? 1 : character.isWhitespace ? 2 : 0
      if kind != 0, kind == lastKind, !words.isEmpty {
        words[words.count - 1].append(character)
      } else {
        words.append(String(character))
      }
      lastKind = kind
    }
    return words
  }
}
