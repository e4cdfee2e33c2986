import Model

/// The shortest names that tell files apart: the last path component, preceded by as many more as needed if files share
/// it.
struct ShortPaths: Sendable {
  /// Holds only the files whose last component is not enough.
  private var names: [String: String] = [:]

  init(_ paths: some Sequence<String>) {
    let groups = Dictionary(grouping: Set(paths), by: SourceLocation.fileName)
    for (_, paths) in groups where paths.count > 1 {
      var left = paths
      var parts = 2
      while !left.isEmpty {
        let named = left.map { (path: $0, name: Self.end(of: $0, parts: parts)) }
        let counts = Dictionary(named.map { ($0.name, 1) }, uniquingKeysWith: +)
        // A whole path cannot be made longer.
        let done = named.filter { counts[$0.name] == 1 || $0.name == $0.path }
        for entry in done { names[entry.path] = entry.name }
        left = named.filter { names[$0.path] == nil }.map(\.path)
        parts += 1
      }
    }
  }

  /// The name of a file; for an unknown file, the last component of its path.
  subscript(path: String) -> String { names[path] ?? SourceLocation.fileName(of: path) }

  /// Returns the last components of a path.
  private static func end(of path: String, parts: Int) -> String {
    var left = parts
    var start = path.utf8.endIndex
    while start > path.utf8.startIndex {
      let before = path.utf8.index(before: start)
      if path.utf8[before] == UInt8(ascii: "/") {
        left -= 1
        if left == 0 { break }
      }
      start = before
    }
    return String(path[start...])
  }
}

extension SourceLocation {
  /// Returns the folder that holds a file; nil at the top.
  static func folder(of path: String) -> String? {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
  }
}
