import FoundationEssentials
import Rendering

/// What the other side of a session says: lines of JSON, and streams of files between them.
final class SessionReader {
  private static let longestLine = 1 << 28

  private let more: () throws -> [UInt8]?
  private var bytes: [UInt8] = []
  /// How many of the bytes were returned.
  private var taken = 0

  /// - Parameter more: waits for the next bytes, and returns nil at the end.
  init(more: @escaping () throws -> [UInt8]?) {
    self.more = more
  }

  /// Waits for the next line; nil at the end.
  ///
  /// - Throws: if the end comes within the line, or if it is none of such a value.
  func value<Value: Decodable>(_: Value.Type) throws -> Value? {
    guard let line = try line() else { return nil }
    do {
      return try JSONDecoder().decode(Value.self, from: Data(line))
    } catch {
      let start = VisibleText.of(String(decoding: line.prefix(80), as: UTF8.self))
      throw IntegratingError(
        .service,
        "cannot read what another machine says, which begins with '\(start)'. Check that its login prints nothing itself."
      )
    }
  }

  /// Writes the files of the next stream into a folder that has none of them.
  ///
  /// - Parameter hear: called for each piece that comes.
  func files(into folder: Folder, hear: () -> Void = {}) throws {
    var paths: Set<String> = []
    while let line = try line() {
      guard let header = try? JSONDecoder().decode(FileStream.Header.self, from: Data(line)) else {
        throw FileStream.damaged
      }
      if header.path.isEmpty { return }
      guard FileStream.isInner(header.path), header.bytes >= 0, paths.insert(header.path).inserted else {
        throw FileStream.damaged
      }
      hear()
      try folder.createFolder(of: header.path)
      try FileStream.make(header, in: folder) { left in try piece(atMost: left, hear: hear) }
    }
    throw Self.cut
  }

  /// Waits for the next bytes of a file.
  private func piece(atMost limit: Int, hear: () -> Void) throws -> ArraySlice<UInt8> {
    while taken == bytes.count {
      guard try fill() else { throw Self.cut }
      hear()
    }
    let piece = bytes[taken...].prefix(limit)
    taken += piece.count
    return piece
  }

  /// Waits for more bytes, which are returned later; false at the end.
  func fill() throws -> Bool {
    guard let more = try more() else { return false }
    bytes.removeFirst(taken)
    taken = 0
    bytes += more
    guard bytes.count <= Self.longestLine else {
      throw IntegratingError(.service, "cannot read what another machine says: it has no end.")
    }
    return true
  }

  private func line() throws -> ArraySlice<UInt8>? {
    var known = 0
    while true {
      let unread = bytes[taken...]
      if let end = unread.dropFirst(known).firstIndex(of: UInt8(ascii: "\n")) {
        taken = end + 1
        return unread[..<end]
      }
      known = unread.count
      if try !fill() {
        if known == 0 { return nil }
        throw Self.cut
      }
    }
  }

  private static let cut = IntegratingError(.service, "what another machine says was cut off on its way.")
}
