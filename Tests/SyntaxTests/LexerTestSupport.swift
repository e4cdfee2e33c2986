import Syntax
import Testing

extension Token.Kind {
  /// The kind that a literal with all of its parts is of.
  private var whole: Token.Kind { self == .interpolation || self == .interpolationEnd ? .string : self }

  /// Whether tokens of this kind are left out of a list, because there are so many.
  fileprivate var isPlain: Bool { [.name, .sign, .opening, .closing].contains(self) }

  fileprivate func continues(_ other: Token.Kind) -> Bool {
    [.string, .interpolation].contains(self) && [.string, .interpolationEnd].contains(other)
  }

  fileprivate var name: String { "\(whole)" }
}

/// The tokens of a snippet but for plain names, operators and brackets, one a line: the kind and the text. What begins or
/// ends an interpolation is shown with the part of the string that it touches.
func tokenList(_ source: String, _ language: SourceLanguage = .swift) -> String {
  let code = SourceCode(Array(source.utf8), in: language)
  var found: [(kind: Token.Kind, range: Range<Int>)] = []
  for token in code.tokens where !token.kind.isPlain {
    if let last = found.last, last.range.upperBound == token.start, token.kind.continues(last.kind) {
      found[found.count - 1] = (token.kind, last.range.lowerBound..<token.range.upperBound)
    } else {
      found.append((token.kind, token.range))
    }
  }
  return found.map { kind, range in
    "\(kind.name) \(String(decoding: code.bytes[range], as: UTF8.self).replacing("\n", with: "⏎"))"
  }.joined(separator: "\n")
}

/// Checks that tokens ascend, do not overlap and lie inside the source, and that brackets are each other's partners.
func expectSound(
  _ bytes: [UInt8], in language: SourceLanguage = .swift, _ comment: Comment,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var end = 0
  let tokens = SourceCode(bytes, in: language).tokens
  for (index, token) in tokens.enumerated() {
    var isSound = token.start >= end && token.range.upperBound <= bytes.count && !token.range.isEmpty
    if let partner = token.partner {
      isSound = isSound && tokens[partner].partner == index && (token.isOpening ? partner > index : token.isClosing)
    }
    guard isSound else {
      Issue.record(comment, sourceLocation: sourceLocation)
      return
    }
    end = token.range.upperBound
  }
}
