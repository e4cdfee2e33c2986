import CLibgit2
import Glibc

extension Repository {
  /// Returns the error for a path that libgit2 could not open, based on its last error.
  static func refusal(of path: String, code: Int32) -> GitError {
    let message = git_error_last()?.pointee.message.map { String(cString: $0) } ?? ""
    let what = "Cannot open the repository at \(path.quoted)"
    if let format = unsupportedFormat(in: message) {
      return GitError(.unsupportedFormat, what, because: format.reason, next: format.next)
    }
    if let closed = closedFolder(to: path) {
      let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())"
      return GitError(
        .io, what, because: "the user \(user) may not enter \(closed.quoted)",
        next:
          "Run Martlet as the user whom the repository belongs to, or let \(user) in with `setfacl -m u:\(user):x \(closed)` and `setfacl -R -m u:\(user):rX \(path)`, and run `git config --global --add safe.directory \(path)` as \(user)."
      )
    }
    if code == GIT_ENOTFOUND.rawValue { return notFound(path) }
    return GitError(code: code, doing: what)
  }

  /// Returns the error for a path that is not a repository and is not inside one.
  static func notFound(_ path: String) -> GitError {
    let what = "Cannot open the repository at \(path.quoted)"
    var status = stat()
    if path.isEmpty || path.utf8.contains(0) || (stat(path, &status) != 0 && errno == ENOENT) {
      return GitError(
        .notARepository, what, because: "there is no such file or folder", next: "Check the path.")
    }
    return GitError(
      .notARepository, what, because: "it is not inside a git repository",
      next: "Give the path of a work tree or a bare repository, or run `git init` and commit there first.")
  }

  /// Returns the first folder on the way to a repository that this user may not enter, or nil if all are accessible.
  private static func closedFolder(to path: String) -> String? {
    let parts = path.split(separator: "/")
    let folders = parts.indices.map { "/" + parts[...$0].joined(separator: "/") } + ["\(path)/.git"]
    return folders.first { access($0, X_OK) != 0 && errno == EACCES }
  }

  /// Returns the format that a repository needs and libgit2 lacks, recognized by the words of libgit2's refusal.
  private static func unsupportedFormat(in message: String) -> (reason: String, next: String)? {
    if let version = message.firstRange(of: "unsupported repository version ") {
      let number = message[version.upperBound...].prefix { $0.isNumber }
      return (
        "it has the repository format version \(number), and libgit2 reads 0 and 1",
        "Clone it with a git that writes format version 1, and name the clone."
      )
    }
    guard let range = message.firstRange(of: "extensions.") else { return nil }
    let name = message[range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "-" }
    switch name.lowercased() {
    case "objectformat":
      return (
        "it names its objects by SHA-256 (extensions.objectFormat), which libgit2 cannot read",
        "Convert it with `git init COPY` and `git fast-export --all | git -C COPY fast-import`, and name the copy."
      )
    case "refstorage":
      return (
        "it keeps its branches in a reftable (extensions.refStorage), which libgit2 cannot read",
        "Run `git refs migrate --ref-format=files` in it."
      )
    default:
      return (
        "it needs the extension extensions.\(name), which libgit2 does not know",
        "Remove the extension from the repository's configuration if nothing depends on it, or name a plain clone."
      )
    }
  }
}
