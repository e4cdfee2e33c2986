/// What Foundation prints of an `NSError`, reduced to what a person reads.
///
/// The form is that of its `description`:
/// https://github.com/swiftlang/swift-corelibs-foundation/blob/main/Sources/Foundation/NSError.swift
package enum FoundationErrorText {
  private static let start = "Error Domain="
  private static let sentence = "NSLocalizedDescription="

  /// The text with each error in it as its own sentence, domain and code, such as
  /// `Could not resolve host: example.org (NSURLErrorDomain -1003)`.
  ///
  /// An error without a sentence of its own stays as it is.
  package static func reduced(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let found = rest.firstRange(of: start) {
      result += rest[..<found.lowerBound]
      let (words, end) = error(in: rest[found.upperBound...])
      result += words ?? String(rest[found.lowerBound..<end])
      rest = rest[end...]
    }
    return result + rest
  }

  /// The error behind the word that begins it, and where it ends.
  private static func error(in text: Substring) -> (words: String?, end: Substring.Index) {
    guard let code = text.firstRange(of: " Code="), let quote = text[code.upperBound...].firstRange(of: " \"") else {
      return (nil, text.endIndex)
    }
    let domain = text[..<code.lowerBound]
    let number = text[code.upperBound..<quote.lowerBound]
    guard domain.allSatisfy({ !$0.isWhitespace }), Int(number) != nil,
      let close = text[quote.upperBound...].firstIndex(of: "\"")
    else { return (nil, code.upperBound) }
    let own = text[quote.upperBound..<close]
    let (information, end) = userInfo(in: text[text.index(after: close)...])
    guard let said = own == "(null)" ? description(in: information) : own else { return (nil, end) }
    return ("\(said) (\(domain) \(number))", end)
  }

  /// What stands in the outer braces, which may hold others; the whole rest where they are not closed.
  private static func userInfo(in text: Substring) -> (Substring, end: Substring.Index) {
    let mark = "UserInfo={"
    let trimmed = text.drop { $0 == " " }
    guard trimmed.hasPrefix(mark) else { return (text.prefix(0), text.startIndex) }
    let inside = trimmed.dropFirst(mark.count)
    var depth = 1
    for index in inside.indices {
      if inside[index] == "{" { depth += 1 }
      if inside[index] == "}" { depth -= 1 }
      if depth == 0 { return (inside[..<index], inside.index(after: index)) }
    }
    return (inside, inside.endIndex)
  }

  /// Up to the next key, which is a word of letters before an equals sign.
  private static func description(in information: Substring) -> Substring? {
    guard let found = information.firstRange(of: sentence) else { return nil }
    let said = information[found.upperBound...].prefix { $0 != "}" }
    var at = said.startIndex
    while let comma = said[at...].firstRange(of: ", ") {
      let key = said[comma.upperBound...].prefix { $0.isLetter || $0 == "_" }
      if !key.isEmpty, said[key.endIndex...].first == "=" { return said[..<comma.lowerBound] }
      at = comma.upperBound
    }
    return said.isEmpty ? nil : said
  }
}
