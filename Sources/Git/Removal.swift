import Glibc

/// The removal of files that untrusted code may have touched.
package enum Removal {
  /// Removes a file, a link or a folder with all its contents, however deep, if it exists.
  ///
  /// Links are not followed, and the owner's permissions are restored first. Mounted folders are kept.
  /// - Parameter path: An absolute path in which untrusted code can change only the last component.
  package static func remove(_ path: String) throws(GitError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let parent = try OpenFolder(following: end == path.startIndex ? "/" : String(path[..<end]))
    try parent.remove(RelativePath(String(path[end...].dropFirst())))
  }
}
