/// The extensions of source file names.
package enum SourceSuffix {
  /// The extensions of files that C, C++ and Objective-C sources include, and that SwiftPM does not list among the
  /// sources of a target.
  package static let headers: Set<String> = [
    "h", "H", "hh", "hpp", "hxx", "h++", "inc", "def", "inl", "ipp", "tpp", "tcc", "txx",
  ]
  /// The extensions of all files in C, C++ and Objective-C.
  package static let allOfC = headers.union(["c", "m", "mm", "cc", "cpp", "cxx", "c++", "C"])
  /// The extensions of files in assembler.
  package static let assembler: Set<String> = ["s", "S", "asm"]
  /// The extensions of all files that a package is compiled from.
  package static let sources = allOfC.union(assembler).union(["swift"])

  /// Returns what stands behind the last dot of a path; nil without one in its name.
  package static func suffix(of path: String) -> String? {
    let name = path.utf8[(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.utf8.startIndex)...]
    return name.lastIndex(of: UInt8(ascii: ".")).map { String(path[path.utf8.index(after: $0)...]) }
  }

  /// Returns whether a file is named like a source or a header.
  package static func isSource(_ path: String) -> Bool {
    suffix(of: path).map(sources.contains) == true
  }

  /// Returns whether a file is named like a header.
  package static func isHeader(_ path: String) -> Bool { suffix(of: path).map(headers.contains) == true }

  /// Returns whether a file is named like one that Swift sources import without naming it.
  package static func isImported(_ path: String) -> Bool {
    isHeader(path) || path.hasSuffix(".modulemap") || path.hasSuffix(".apinotes")
  }
}
