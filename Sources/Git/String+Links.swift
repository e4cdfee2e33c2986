import Glibc

extension String {
  /// The path without links; nil if nothing is there.
  package var realPath: String? {
    guard let resolved = realpath(self, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The path without links; the path itself if nothing is there.
  package var withoutLinks: String { realPath ?? self }
}
