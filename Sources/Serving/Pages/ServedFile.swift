package import Processes

/// An open file that is being sent, closed with its last user.
package final class ServedFile {
  private let file: OpenedFile
  /// The length of the file in bytes when it was opened.
  package let length: Int
  /// The entity tag of this state of the file, for clients that check for a newer one.
  package let tag: String

  package init(_ file: consuming OpenedFile) {
    length = file.firstLength
    tag = "\"\(file.stamp)\""
    self.file = file
  }

  /// Reads some bytes; fewer at the end of the file.
  package func read(from position: Int, atMost limit: Int) -> [UInt8] { file.read(from: position, atMost: limit) }
}

/// A range of a file, read piece by piece.
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
    // The file was truncated while it was being sent.
    guard !bytes.isEmpty else { return .broken }
    rest = (rest.lowerBound + bytes.count)..<rest.upperBound
    return .bytes(bytes)
  }
}
