import CLibgit2

/// A filter that excludes files that cannot be sources from a diff, so that they are not compared with new ones.
final class DeltaFilter {
  private let suffixes: Set<[UInt8]>

  /// Attaches the filter to `options`; the filter must outlive the diffs made with them. Nil filters nothing.
  init(_ suffixes: Set<String>?, in options: inout git_diff_options) {
    self.suffixes = Set((suffixes ?? []).map { Array($0.utf8) })
    guard suffixes != nil else { return }
    options.payload = Unmanaged.passUnretained(self).toOpaque()
    options.notify_cb = { _, delta, _, payload in
      guard let delta, let payload else { return 0 }
      let filter = Unmanaged<DeltaFilter>.fromOpaque(payload).takeUnretainedValue()
      return filter.isKept(delta.pointee) ? 0 : 1
    }
  }

  /// Links and submodules are always kept, whatever their names.
  private func isKept(_ delta: git_diff_delta) -> Bool {
    guard delta.hasOnlyFiles, let path = delta.new_file.path ?? delta.old_file.path else { return true }
    let name = RelativePath(path).lastComponent
    let dot = name.lastIndex(of: UInt8(ascii: "."))
    return suffixes.contains(dot.map { Array(name[($0 + 1)...]) } ?? [])
  }
}

extension git_diff_delta {
  var isSubmodule: Bool { kinds.contains(.submodule) }

  /// Whether the delta concerns only files, not links or submodules.
  var hasOnlyFiles: Bool { kinds.allSatisfy { $0 == .file || $0 == .executable } }

  /// The kinds before and after the change; only one for an added or deleted file.
  private var kinds: [TreeEntry.Kind] {
    [old_file.mode, new_file.mode].filter { $0 != 0 }.map { TreeEntry.Kind(git_filemode_t(UInt32($0))) }
  }
}

/// A check whether files are short enough to be compared line by line.
struct FileSizes: ~Copyable {
  /// The longest file to compare, in bytes. A longer file is data, and comparing it would take too long.
  static let most = 16 << 20

  private let database: Handle<DatabaseKind>

  init(of repository: borrowing Repository, _ what: String) throws(GitError) {
    database = try Handle<DatabaseKind>(what) { git_repository_odb(&$0, repository.handle.pointer) }
  }

  /// Returns whether both sides of a change are short enough.
  func areFit(_ delta: git_diff_delta) -> Bool {
    [delta.old_file, delta.new_file].allSatisfy { file in
      if Int(clamping: file.size) > Self.most { return false }
      var (size, type, id) = (0, GIT_OBJECT_BLOB, file.id)
      // Content that is not an object in the repository has its size from the disk.
      guard git_odb_read_header(&size, &type, database.pointer, &id) == 0 else { return true }
      return size <= Self.most
    }
  }
}
