/// A place in a source file.
package struct SourceLocation: Hashable, Sendable, Codable {
  /// The path relative to the package, or the path as printed by the tool if it is outside the package.
  package var file: String
  /// The line, counted from 1.
  package var line: Int
  /// The column in UTF-8 bytes, counted from 1.
  package var column: Int?

  package init(file: String, line: Int, column: Int? = nil) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The last component of the path.
  package var fileName: String { Self.fileName(of: file) }

  /// Returns the last component of a path.
  package static func fileName(of path: String) -> String {
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return path }
    let name = path[bytes.index(after: slash)...]
    // Paths with trailing slashes are rare.
    return name.isEmpty ? path.split(separator: "/").last.map(String.init) ?? path : String(name)
  }
}

extension SourceLocation: Comparable, CustomStringConvertible {
  package static func < (one: SourceLocation, other: SourceLocation) -> Bool {
    (one.file, one.line, one.column ?? 0) < (other.file, other.line, other.column ?? 0)
  }

  package var description: String {
    column.map { "\(file):\(line):\($0)" } ?? "\(file):\(line)"
  }
}
