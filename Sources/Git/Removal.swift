import Glibc

/// Removes what foreign code may have touched.
package enum Removal {
  /// Removes a file, a link or a folder with all it holds, however deep; nothing there is fine.
  ///
  /// Links are not followed, and the owner's permissions are given back first. Where something is mounted, it stays.
  /// - Parameter path: an absolute path, of whose folders foreign code can change none but the last.
  package static func remove(_ path: String) throws(GitError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let parent = try OpenFolder(following: end == path.startIndex ? "/" : String(path[..<end]))
    try parent.remove(RelativePath(String(path[end...].dropFirst())))
  }
}
