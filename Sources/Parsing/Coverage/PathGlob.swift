/// A pattern of paths: `*` stands for anything but a slash, `**` for anything, `?` for one character but a slash.
///
/// A pattern that matches a folder matches everything beneath it.
package struct PathGlob: Hashable, Sendable {
  private enum Piece: Hashable {
    case byte(UInt8)
    case one
    case some
    case all
  }

  package let text: String
  private let pieces: [Piece]

  package init(_ text: String) {
    self.text = text
    var pieces: [Piece] = []
    let bytes = Array(text.hasSuffix("/") ? text.dropLast().utf8 : text[...].utf8)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "*") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "*"):
        index += 1
        // Two stars and a slash also stand for no folder at all.
        if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") { index += 1 }
        pieces.append(.all)
      case UInt8(ascii: "*"): pieces.append(.some)
      case UInt8(ascii: "?"): pieces.append(.one)
      case let byte: pieces.append(.byte(byte))
      }
      index += 1
    }
    self.pieces = pieces
  }

  /// Whether a path relative to the package, or a folder above it, is meant.
  ///
  /// The time it takes is at most the product of both lengths.
  package func matches(_ path: String) -> Bool {
    // Which beginnings of the pattern match the part of the path that was read.
    var open = [Bool](repeating: false, count: pieces.count + 1)
    open[0] = true
    spread(&open)
    for byte in path.utf8 {
      if byte == UInt8(ascii: "/"), open[pieces.count] { return true }
      var next = [Bool](repeating: false, count: pieces.count + 1)
      for index in pieces.indices where open[index] {
        switch pieces[index] {
        case .byte(let wanted): if wanted == byte { next[index + 1] = true }
        case .one: if byte != UInt8(ascii: "/") { next[index + 1] = true }
        case .some: if byte != UInt8(ascii: "/") { next[index] = true }
        case .all: next[index] = true
        }
      }
      open = next
      spread(&open)
    }
    return open[pieces.count]
  }

  /// Stars may stand for nothing.
  private func spread(_ open: inout [Bool]) {
    for index in pieces.indices where open[index] && (pieces[index] == .some || pieces[index] == .all) {
      open[index + 1] = true
    }
  }
}
