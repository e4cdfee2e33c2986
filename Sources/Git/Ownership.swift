import CLibgit2
import Glibc

/// Git's rule for repositories owned by other users: none is read unless `safe.directory` names it.
///
/// libgit2 1.5 implements only part of the rule, so its own check is disabled and replaced by this one.
/// See https://git-scm.com/docs/git-config#Documentation/git-config.txt-safedirectory.
enum Ownership {
  /// Returns whether `user` may read a repository whose folders belong to `owners`.
  ///
  /// - Parameters:
  ///   - sudoUser: The user who called `sudo`, if the process runs under it.
  ///   - safeFolders: The values of `safe.directory` in the order in which git reads them.
  ///   - folder: The work tree, or the bare repository.
  static func isTrusted(
    owners: [uid_t], user: uid_t, sudoUser: uid_t?, safeFolders: [String], folder: String
  ) -> Bool {
    if owners.allSatisfy({ $0 == user || (user == 0 && $0 == sudoUser) }) { return true }
    return safeFolders.reduce(false) { trusted, value in
      if value.isEmpty { return false }
      if value == "*" { return true }
      if value.hasSuffix("/*") { return trusted || folder.hasPrefix(value.dropLast()) }
      return trusted || folder == (value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value)
    }
  }

  /// Throws `notOwned` if the user of this process may not read the repository with these folders.
  static func check(folder: String, gitFolder: String) throws(GitError) {
    let owners = [folder, gitFolder].compactMap(owner)
    let sudoUser = getenv("SUDO_UID").flatMap { uid_t(String(cString: $0)) }
    // The configuration is read only if the owners alone do not settle the question.
    let decide = { safe in
      isTrusted(owners: owners, user: geteuid(), sudoUser: sudoUser, safeFolders: safe, folder: folder)
    }
    if decide([]) { return }
    if decide(try safeFolders()) { return }
    throw GitError(
      .notOwned, "Cannot open the repository \(folder.quoted)", because: "it belongs to another user",
      next: "If you trust it, run `git config --global --add safe.directory \(folder)` as the user who runs Martlet.")
  }

  private static func owner(of path: String) -> uid_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_uid : nil
  }

  /// Returns the values of `safe.directory` in the user's and the machine's configuration, never the repository's.
  private static func safeFolders() throws(GitError) -> [String] {
    let what = "Cannot read the user's git configuration"
    let configuration = try Handle<ConfigurationKind>(what) { git_config_open_default(&$0) }
    let iterator = try Handle<ConfigurationIteratorKind>(what) {
      git_config_multivar_iterator_new(&$0, configuration.pointer, "safe.directory", nil)
    }
    var values: [String] = []
    var entry: UnsafeMutablePointer<git_config_entry>?
    while true {
      let code = git_config_next(&entry, iterator.pointer)
      if code == GIT_ITEROVER.rawValue { return values }
      try Git.check(code, what)
      if let value = entry?.pointee.value { values.append(expandingHome(String(cString: value))) }
    }
  }

  private static func expandingHome(_ value: String) -> String {
    guard value.hasPrefix("~/"), let home = getenv("HOME") else { return value }
    return String(cString: home) + value.dropFirst()
  }
}
