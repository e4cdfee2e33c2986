import CLibgit2

/// A kind of libgit2 handle and how to free it.
protocol HandleKind {
  static func free(_ pointer: OpaquePointer)
}

/// The owner of a libgit2 handle, which it frees when it is destroyed.
struct Handle<Kind: HandleKind>: ~Copyable {
  let pointer: OpaquePointer

  /// Takes ownership of the handle that `make` produces; `make` returns libgit2's code.
  init(_ what: @autoclosure () -> String, _ make: (inout OpaquePointer?) -> Int32) throws(GitError) {
    var made: OpaquePointer?
    let code = make(&made)
    try check(code, what())
    guard let made else { throw GitError(code: GIT_ERROR.rawValue, doing: what()) }
    pointer = made
  }

  /// Takes ownership of `pointer`.
  init(owning pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit { Kind.free(pointer) }
}

enum RepositoryKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_repository_free(pointer) }
}

enum ReferenceKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_reference_free(pointer) }
}

enum ReferenceIteratorKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_reference_iterator_free(pointer) }
}

enum ObjectKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_object_free(pointer) }
}

enum CommitKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_commit_free(pointer) }
}

enum TreeKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_tree_free(pointer) }
}

enum TreeEntryKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_tree_entry_free(pointer) }
}

enum BlobKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_blob_free(pointer) }
}

enum IndexKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_index_free(pointer) }
}

enum DatabaseKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_odb_free(pointer) }
}

enum ConfigurationKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_config_free(pointer) }
}

enum ConfigurationIteratorKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_config_iterator_free(pointer) }
}

enum StatusListKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_status_list_free(pointer) }
}

enum DiffKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_diff_free(pointer) }
}

enum PatchKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_patch_free(pointer) }
}

enum BlameKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_blame_free(pointer) }
}
