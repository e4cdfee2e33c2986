/// A requested part of a body (https://www.rfc-editor.org/rfc/rfc9110#section-14).
enum ByteRange {
  /// The meaning of a Range header.
  enum Asked: Hashable {
    /// Nothing that is understood, or several parts, in which case the whole body is sent.
    case whole
    case part(Range<Int>)
    /// A part outside the body.
    case none
  }

  static func asked(_ header: String, of length: Int) -> Asked {
    guard let sides = sides(header) else { return .whole }
    switch sides {
    case (.none, .none): return .whole
    case (.none, .some(let count)):
      // A suffix range: the last bytes.
      return count == 0 || length == 0 ? .none : .part(max(0, length - count)..<length)
    case (.some(let start), let end):
      if let end, end < start { return .whole }
      guard start < length else { return .none }
      return .part(start..<min(length, (end ?? length - 1) + 1))
    }
  }

  /// The last byte of a text of which nobody knows where it ends: the largest number that all programs can read.
  static let farthest = 9_007_199_254_740_991

  /// What a Range header asks of a text that still grows (https://www.rfc-editor.org/rfc/rfc8673): a part that ends behind
  /// what there is now is sent as it comes.
  static func asked(_ header: String, ofGrowing length: Int) -> Asked {
    guard let (first, last) = sides(header) else { return .whole }
    guard let start = first else { return asked(header, of: length) }
    let end = min(last ?? farthest, farthest)
    if end < start { return .whole }
    return start <= length ? .part(start..<end + 1) : .none
  }

  /// What stands before and behind the hyphen of a header that asks for one part; nil for any other.
  private static func sides(_ header: String) -> (Int?, Int?)? {
    let unit = "bytes="
    guard header.lowercased().hasPrefix(unit) else { return nil }
    let sides = header.dropFirst(unit.count).split(separator: "-", omittingEmptySubsequences: false)
    guard sides.count == 2, let first = number(sides[0]), let last = number(sides[1]) else { return nil }
    return first == nil && last == nil ? nil : (first, last)
  }

  /// Nil inside for nothing, nil for what is no number; a number with more digits than any file is a very large one.
  private static func number(_ text: Substring) -> Int?? {
    if text.isEmpty { return .some(nil) }
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    return .some(min(Int(text) ?? .max, .max - 1))
  }
}

/// The name of a state of a body (https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3).
enum EntityTag {
  /// Whether a list of tags contains this one, using the weak comparison that If-None-Match requires.
  static func matches(_ list: String, _ tag: String) -> Bool {
    if list == "*" { return true }
    return list.split(separator: ",").contains { part in
      let name = part.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
      let text = String(name)
      return (text.hasPrefix("W/") ? String(text.dropFirst(2)) : text) == tag
    }
  }
}
