import Model

/// Which files of a repository a build may read although nothing tells that it does: the plan of a build has no libraries
/// that are searched for in a folder (`-L`, `-l`), and a compiler of C names the headers that it read, but neither what
/// an assembler takes in by `.incbin` or `.include` nor the headers that it looked for in vain.
struct UnnamedInputs {
  /// The folders with sources in C or assembler, each with a slash at its end.
  private let folders: Set<String>

  /// - Parameter paths: all files of the repository.
  init(beside paths: [String]) {
    folders = Set(paths.filter { Self.isForeign($0) && !SourceSuffix.isHeader($0) }.map(Self.target))
  }

  /// Whether linkers or the compilers of C may read a file that no task names.
  func mayRead(_ path: String) -> Bool {
    if Self.isLinked(path) { return true }
    guard !folders.isEmpty, !SourceSuffix.isSource(path), !path.hasSuffix(".md") else { return false }
    return path.indices.contains { path[$0] == "/" && folders.contains(String(path[...$0])) }
  }

  private static let suffixesOfLinkers: Set<String> = ["a", "so", "o", "lib", "ld", "lds"]
  private static let bundles = [".artifactbundle/", ".xcframework/"]

  /// Whether a file is a library or in a bundle of libraries, or says how to link.
  private static func isLinked(_ path: String) -> Bool {
    SourceSuffix.suffix(of: path).map(suffixesOfLinkers.contains) == true
      || SourceLocation.fileName(of: path).contains(".so.") || bundles.contains(where: path.contains)
  }

  /// Whether a file is a header or a source in C, one of its relatives or assembler.
  private static func isForeign(_ path: String) -> Bool {
    SourceSuffix.isSource(path) && !path.hasSuffix(".swift")
  }

  /// Returns the folder of the target to which a source probably belongs, with a slash at its end: that within `Sources`,
  /// or its own.
  private static func target(of path: String) -> String {
    let parts = path.split(separator: "/")
    if let root = parts.firstIndex(where: { ["Sources", "Source", "src", "srcs", "Tests"].contains($0) }),
      root + 2 < parts.count
    {
      return parts[...(root + 1)].joined(separator: "/") + "/"
    }
    return parts.dropLast().joined(separator: "/") + "/"
  }
}
