import Testing

@testable import Rendering

/// The tokens of a snippet, one a line: the kind and the text.
func tokenList(_ source: String, _ language: SourceLanguage = .swift) -> String {
  let bytes = Array(source.utf8)
  return language.tokens(in: bytes).map { token in
    let text = String(decoding: bytes[token.range], as: UTF8.self).replacing("\n", with: "⏎")
    return "\(token.kind) \(text)"
  }.joined(separator: "\n")
}

/// Checks that tokens ascend, do not overlap and lie inside the source.
func expectSound(
  _ bytes: [UInt8], in language: SourceLanguage = .swift, _ comment: Comment,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var end = 0
  for token in language.tokens(in: bytes) {
    let isSound = token.range.lowerBound >= end && token.range.upperBound <= bytes.count && !token.range.isEmpty
    guard isSound else {
      Issue.record(comment, sourceLocation: sourceLocation)
      return
    }
    end = token.range.upperBound
  }
}
