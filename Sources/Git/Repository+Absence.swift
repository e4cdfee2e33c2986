import CLibgit2
package import Model

extension Repository {
  /// Returns the reason the repository lacks a commit, or nil if it has the commit or the reason cannot be determined.
  package func absence(of id: CommitID) -> CommitAbsence? {
    guard let object = ObjectID(hexadecimal: id.rawValue) else { return .gone }
    var raw = object.raw
    var found: OpaquePointer?
    let code = git_commit_lookup(&found, handle.pointer, &raw)
    if let found { git_commit_free(found) }
    guard code == GIT_ENOTFOUND.rawValue else { return nil }
    return git_repository_is_shallow(handle.pointer) == 1 ? .leftOut : .gone
  }
}
