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
