import Foundation
import TestGround
import Testing

@testable import Parsing
@testable import Rendering

@Suite("Markers are looked for in what pages show as comments")
struct LineCommentAgreementTests {
  /// Where comments with two slashes begin, by the tokens that pages are coloured by.
  private static func coloured(_ bytes: [UInt8], _ language: SourceLanguage) -> [Int] {
    language.tokens(in: bytes).filter { token in
      token.kind == .comment && bytes[token.range].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")])
    }.map(\.range.lowerBound)
  }

  private static func found(_ bytes: [UInt8], _ language: SourceLanguage) -> [LineComments.Comment] {
    var comments = LineComments(in: bytes, isSwift: language == .swift)
    return Array(AnyIterator { comments.next() })
  }

  private func expectAgreement(_ source: String, _ language: SourceLanguage, _ name: String) {
    let bytes = Array(source.utf8)
    let found = Self.found(bytes, language)
    #expect(found.map(\.text.lowerBound) == Self.coloured(bytes, language), "\(name)")
    var (line, passed) = (1, 0)
    for comment in found {
      line += bytes[passed..<comment.text.lowerBound].count { $0 == UInt8(ascii: "\n") }
      passed = comment.text.lowerBound
      guard comment.line != line else { continue }
      Issue.record("the line of \(comment) is \(line) in \(name)")
      return
    }
  }

  private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test("In every source of Martlet", arguments: ["Sources", "Tests"])
  func ownSources(_ folder: String) throws {
    let root = Self.repository.appending(path: folder).path
    let paths = try #require(FileManager.default.enumerator(atPath: root)).compactMap { $0 as? String }
    let sources = paths.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") || $0.hasSuffix(".h") }
    #expect(sources.count > 100)
    for path in sources {
      let text = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
      expectAgreement(text, SourceLanguage(path: path), path)
    }
  }

  private static let piecesOfSwift = [
    "//", "/", "/*", "*/", "#/", "/#", "##/", "/##", "\\/", "[", "]", "(", ")", "{", "}", "\"", "\"\"\"", "#\"", "\"#",
    "\\(", "\\#(", "#", " ", " ", "\n", "\n", "a", "1.5", "return", "self", ".init", ".in", "x.self", "=", " = ", "*",
    "!", "?", ",", ":", "`", "@a.b", "#if ", "é", "\\", "'", "$0", "..<", "->", "in", "\t", "coverage:ignore",
  ]
  private static let piecesOfC = [
    "//", "/", "/*", "*/", "\"", "\"", "'", "\\", "\\\n", "\n", "\n", " ", "R\"(", ")\"", "R\"x(", ")x\"", "u8R\"(",
    "LR\"", "xR\"(", "a", "1'0", "0x1'f", "L'", "u8\"", "(", ")", "coverage:ignore", "\\\r\n", "\r\n", "é",
  ]

  @Test("In random pieces of Swift and of C", arguments: 0..<20)
  func randomPieces(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for (pieces, language) in [(Self.piecesOfSwift, SourceLanguage.swift), (Self.piecesOfC, .c)] {
      for _ in 0..<200 {
        let count = Int.random(in: 0...40, using: &generator)
        let source = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        expectAgreement(source, language, "seed \(seed): \(source.debugDescription)")
      }
    }
  }
}
