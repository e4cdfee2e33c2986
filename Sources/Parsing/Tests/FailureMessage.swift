package import Model

/// Takes the failure messages of both libraries apart.
package enum FailureMessage {
  /// The parts of a message; nil when it has none of the known shapes.
  package static func parse(_ message: String, library: TestLibrary) -> ParsedFailure? {
    switch library {
    case .xctest: xctest(message)
    case .swiftTesting: swiftTesting(message)
    }
  }

  /// Whether the text breaks off inside an operand, so that the next line continues it for certain.
  static func isUnfinished(_ message: String) -> Bool {
    guard message.hasPrefix("XCT"), let failed = message.range(of: " failed: ", in: message.startIndex) else {
      return message.hasPrefix(#"threw error ""#) && !(message.hasSuffix(#"""#) && message.utf8.count > 13)
    }
    let rest = message[failed.upperBound...]
    guard rest.hasPrefix(#"(""#) || rest.hasPrefix(#"""#) || rest.hasPrefix(#"threw error ""#) else { return false }
    return xctest(message) == nil
  }

  /// Whether nothing can follow: the author wrote no text of his own, or the shape has no place for one.
  static func isComplete(_ message: String) -> Bool {
    if isUnfinished(message) { return false }
    if message.hasSuffix(" - ") || message == "Test skipped" { return true }
    if message.hasPrefix(#"threw error ""#) || message.hasPrefix("Test skipped: threw error ") {
      return message.hasSuffix(#"""#)
    }
    return message.hasPrefix("Asynchronous wait failed") || message.hasPrefix("Failed due to expectation fulfilled")
  }
}

extension StringProtocol {
  /// The first occurrence of a literal text at or behind an index.
  func range(of text: String, in start: Index) -> Range<Index>? {
    guard !text.isEmpty else { return nil }
    var index = start
    let utf8 = self.utf8
    while let first = utf8[index...].firstIndex(of: text.utf8.first ?? 0) {
      if utf8[first...].starts(with: text.utf8) {
        return first..<utf8.index(first, offsetBy: text.utf8.count)
      }
      index = utf8.index(after: first)
    }
    return nil
  }

  /// The first occurrences of a literal text; with more than a few, none of them is the one that was meant.
  func ranges(ofText text: String) -> [Range<Index>] {
    var found: [Range<Index>] = []
    var start = startIndex
    while found.count < 16, let range = range(of: text, in: start) {
      found.append(range)
      start = utf8.index(after: range.lowerBound)
    }
    return found
  }

  /// Whether brackets close in the order in which they open and quotes come in pairs.
  var isBalanced: Bool {
    var open: [UInt8] = []
    var quotes = 0
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""): quotes += 1
      case UInt8(ascii: "("): open.append(UInt8(ascii: ")"))
      case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
      case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        guard open.popLast() == byte else { return false }
      default: break
      }
    }
    return open.isEmpty && quotes.isMultiple(of: 2)
  }
}
