/// The content of a report page between its header and its footer, with the positions of its attributes.
///
/// It understands only what the templates write: lowercase names, and values without `<` and `>`.
struct PageContent {
  /// An attribute value, without its quotes.
  private struct Value {
    var tag: ArraySlice<UInt8>
    var name: ArraySlice<UInt8>
    /// From the blank before the name to the end of the closing quote.
    var whole: Range<Int>
    var range: Range<Int>
  }

  /// Attributes whose values are ids on the same page.
  private static let references: Set<String> = ["id", "for", "aria-labelledby", "aria-describedby", "headers"]

  private let bytes: [UInt8]
  /// The address of the tab to which the page belongs; nil if none is marked.
  let tab: String?

  /// Nil if the bytes are not a page of a report.
  init?(_ page: [UInt8]) {
    guard let start = page.firstRange(of: Array(#"<main id="content">"#.utf8)),
      let end = page.lastRange(of: Array("</main>".utf8)), start.upperBound <= end.lowerBound
    else { return nil }
    bytes = Array(page[start.upperBound..<end.lowerBound])
    let mark = page[..<start.lowerBound].firstRange(of: Array(#"" aria-current=page>"#.utf8))
    tab = mark.flatMap { mark in
      let before = page[..<mark.lowerBound]
      return before.lastIndex(of: UInt8(ascii: "\"")).map { Self.unescaped(before[($0 + 1)...]) }
    }
  }

  /// Takes the tabs of a page instead; nil if it has none.
  init?(tabsOf page: [UInt8]) {
    guard let start = page.firstRange(of: Array("<nav class=tabs".utf8)),
      let end = page[start.upperBound...].firstRange(of: Array("</ul></nav>".utf8))
    else { return nil }
    bytes = Array(page[start.lowerBound..<end.upperBound])
    tab = nil
  }

  var count: Int { bytes.count }

  /// The anchors of the page.
  var ids: Set<String> {
    var ids: Set<String> = []
    forEachTag { _, values in
      for value in values where value.name.elementsEqual("id".utf8) { ids.insert(Self.unescaped(bytes[value.range])) }
    }
    return ids
  }

  /// The targets of the links, in order.
  var links: [String] {
    var links: [String] = []
    forEachTag { _, values in
      for value in values where value.name.elementsEqual("href".utf8) && !value.tag.elementsEqual("use".utf8) {
        links.append(Self.unescaped(bytes[value.range]))
      }
    }
    return links
  }

  /// Returns the content rewritten for a file with other pages.
  ///
  /// - Parameters:
  ///   - id: returns the new id for an id.
  ///   - address: returns the new address for an address; nil if its target no longer exists.
  func rewritten(id: (String) -> String, address: (String) -> String?) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    var copied = 0
    forEachTag { tag, values in
      if bytes[tag].starts(with: Array("<img".utf8)) {
        result += bytes[copied..<tag.lowerBound]
        copied = tag.upperBound
        return
      }
      for value in values {
        guard let new = replacement(of: value, id: id, address: address) else { continue }
        result += bytes[copied..<value.whole.lowerBound]
        result += new
        copied = value.whole.upperBound
      }
    }
    return result + bytes[copied...]
  }

  /// Returns the attribute with its new value; empty to omit it, nil to leave it unchanged.
  private func replacement(of value: Value, id: (String) -> String, address: (String) -> String?) -> [UInt8]? {
    let name = String(decoding: value.name, as: UTF8.self)
    let text = Self.unescaped(bytes[value.range])
    let isGroup = name == "name" && value.tag.elementsEqual("input".utf8)
    let new: String?
    if Self.references.contains(name) || isGroup {
      new = text.split(separator: " ").map { id(String($0)) }.joined(separator: " ")
    } else if name == "href", !value.tag.elementsEqual("use".utf8) {
      new = address(text)
    } else {
      return nil
    }
    guard let new else { return [] }
    return Array(" \(name)=\"".utf8) + SafeHTML.escaping(new).bytes + Array("\"".utf8)
  }

  private static func unescaped(_ text: ArraySlice<UInt8>) -> String {
    let text = String(decoding: text, as: UTF8.self)
    guard text.contains("&") else { return text }
    return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }

  private func forEachTag(_ body: (Range<Int>, [Value]) -> Void) {
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<"), index + 1 < bytes.count, Self.isLetter(bytes[index + 1]) else {
        index += 1
        continue
      }
      let start = index
      index += 1
      while index < bytes.count, Self.isName(bytes[index]) { index += 1 }
      let tag = bytes[(start + 1)..<index]
      var values: [Value] = []
      while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
        if let value = value(at: &index, of: tag) { values.append(value) }
      }
      body(start..<min(index + 1, bytes.count), values)
    }
  }

  /// Reads the attribute that begins with the blank at an index, and advances the index past it.
  private func value(at index: inout Int, of tag: ArraySlice<UInt8>) -> Value? {
    let whole = index
    while index < bytes.count, bytes[index] <= UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "/") { index += 1 }
    let start = index
    while index < bytes.count, Self.isName(bytes[index]) { index += 1 }
    let name = bytes[start..<index]
    guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
      if index == start, index < bytes.count, bytes[index] != UInt8(ascii: ">") { index += 1 }
      return nil
    }
    index += 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
      let first = index + 1
      index = bytes[first...].firstIndex(of: UInt8(ascii: "\"")) ?? bytes.count
      let range = first..<index
      index = min(index + 1, bytes.count)
      return Value(tag: tag, name: name, whole: whole..<index, range: range)
    }
    let first = index
    while index < bytes.count, bytes[index] > UInt8(ascii: " "), bytes[index] != UInt8(ascii: ">") { index += 1 }
    return Value(tag: tag, name: name, whole: whole..<index, range: first..<index)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

  private static func isName(_ byte: UInt8) -> Bool {
    isLetter(byte) || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
  }
}

extension [UInt8] {
  /// Returns the last occurrence of other bytes.
  fileprivate func lastRange(of other: [UInt8]) -> Range<Int>? {
    guard count >= other.count else { return nil }
    for start in stride(from: count - other.count, through: 0, by: -1)
    where self[start] == other[0] && self[start..<(start + other.count)].elementsEqual(other) {
      return start..<(start + other.count)
    }
    return nil
  }
}
