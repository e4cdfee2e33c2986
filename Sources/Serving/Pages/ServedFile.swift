package import Processes

/// An open file that is sent, closed when the last who sends it lets go.
package final class ServedFile {
  private let file: OpenedFile
  /// How many bytes it had when it was opened.
  package let length: Int
  /// Names this state of it, for who asks whether there is a newer one.
  package let tag: String

  package init(_ file: consuming OpenedFile) {
    length = file.firstLength
    tag = "\"\(file.stamp)\""
    self.file = file
  }

  /// Reads some bytes; fewer at the end of the file.
  package func read(from position: Int, atMost limit: Int) -> [UInt8] { file.read(from: position, atMost: limit) }
}

/// Some bytes of a file, piece by piece.
final class FilePieces: PieceSource {
  private let file: ServedFile
  private var rest: Range<Int>

  init(_ file: ServedFile, _ range: Range<Int>) {
    self.file = file
    rest = range
  }

  func next(atMost limit: Int) -> Piece {
    if rest.isEmpty { return .end }
    let bytes = file.read(from: rest.lowerBound, atMost: min(limit, rest.count))
    // Somebody cut the file short while it was sent.
    guard !bytes.isEmpty else { return .broken }
    rest = (rest.lowerBound + bytes.count)..<rest.upperBound
    return .bytes(bytes)
  }
}
