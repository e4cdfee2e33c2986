import CLibgit2

/// The process's single initialization of libgit2, with the options that Martlet needs. It lasts as long as the
/// process.
///
/// The options are global to libgit2 and are lost when its last user shuts it down, so it is never shut down.
enum Library {
  /// Extensions that make no difference when reading commits and files, although libgit2 does not know their names.
  ///
  /// A partial clone opens, and a missing object is reported when it is encountered. `refStorage` is not in the list:
  /// such a repository would open and show branches that are not its own.
  /// See https://git-scm.com/docs/git-config#Documentation/git-config.txt-extensions.
  private static let readable = ["worktreeconfig", "relativeworktrees", "preciousobjects", "partialclone"]

  /// Initializes libgit2 on first use; negative if that fails.
  static let started: Int32 = {
    let code = git_libgit2_init()
    guard code >= 0 else { return code }
    // libgit2 1.5 does not understand `safe.directory = *`; `Ownership` implements git's complete rule.
    _ = shim_set_owner_validation(0)
    // libgit2 copies the strings.
    let names = readable.map { strings in strings.utf8CString.map { $0 } }
    return allow(names[...], [])
  }()

  private static func allow(_ names: ArraySlice<[CChar]>, _ pointers: [UnsafePointer<CChar>?]) -> Int32 {
    guard let name = names.first else {
      var pointers = pointers
      return shim_set_extensions(&pointers, pointers.count)
    }
    return name.withUnsafeBufferPointer { allow(names.dropFirst(), pointers + [$0.baseAddress]) }
  }
}
