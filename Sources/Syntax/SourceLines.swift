import Glibc
package import Model

/// The positions of a source's lines.
///
/// Only line feeds count, as in the debug information that coverage refers to; a trailing one ends the last line.
package struct SourceLines: Sendable {
  /// The ascending offsets at which the lines begin, followed by the offset after the last line.
  package let starts: [Int]

  package init(_ bytes: [UInt8]) {
    var starts = [0]
    starts.reserveCapacity(bytes.count / 30 + 2)
    bytes.forEachOffset(of: UInt8(ascii: "\n")) { index in
      starts.append(index + 1)
      return true
    }
    if let last = starts.last, last < bytes.count { starts.append(bytes.count) }
    self.starts = starts
  }

  package var count: Int { starts.count - 1 }

  /// Returns the line that contains an offset, counting from 1.
  package func line(of offset: Int) -> Int { max(1, min(count, starts.partitioningIndex { $0 > offset })) }

  /// Returns the line that contains an offset, and the column in it.
  package func position(of offset: Int) -> SourcePosition {
    let line = line(of: offset)
    return SourcePosition(line: line, column: offset - starts[line - 1] + 1)
  }

  /// The bytes of a line, counting from 1, including its line break; nil if there is no such line.
  package subscript(line: Int) -> Range<Int>? {
    line >= 1 && line <= count ? starts[line - 1]..<starts[line] : nil
  }

  /// Returns the number of lines in some bytes.
  package static func count(_ bytes: [UInt8]) -> Int {
    let count = bytes.count(of: [UInt8(ascii: "\n")])
    return bytes.last.map { $0 == UInt8(ascii: "\n") } ?? true ? count : count + 1
  }
}

extension [UInt8] {
  /// Returns whether the bytes contain a word.
  package func holds(_ word: String) -> Bool { count(of: Array(word.utf8), upTo: 1) == 1 }

  /// Returns how often the bytes contain a word that is not empty. Searches for the word's first byte that is not a
  /// lowercase letter, which is rare in sources.
  package func count(of word: [UInt8], upTo most: Int = .max) -> Int {
    let rare = word.firstIndex { $0 &- UInt8(ascii: "a") >= 26 } ?? 0
    var count = 0
    forEachOffset(of: word[rare]) { index in
      if index >= rare, self[(index - rare)...].starts(with: word) { count += 1 }
      return count < most
    }
    return count
  }

  /// Calls `body` with each index of a byte, in ascending order, until it returns false.
  fileprivate func forEachOffset(of byte: UInt8, _ body: (Int) -> Bool) {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      var next = 0
      // The C library examines many bytes at once.
      while next < bytes.count, let found = memchr(start + next, Int32(byte), bytes.count - next) {
        let index = start.distance(to: UnsafeRawPointer(found))
        guard body(index) else { return }
        next = index + 1
      }
    }
  }
}
