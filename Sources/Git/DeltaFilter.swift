import CLibgit2

/// Leaves files out of a diff that can be no sources, so that nobody compares them with new ones.
final class DeltaFilter {
  private let suffixes: Set<[UInt8]>

  /// Has an effect on diffs made with the options for as long as the filter lives; none for nil.
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

  /// Links and submodules are kept, whatever their name.
  private func isKept(_ delta: git_diff_delta) -> Bool {
    guard delta.hasOnlyFiles, let path = delta.new_file.path ?? delta.old_file.path else { return true }
    let name = RelativePath(path).lastComponent
    let dot = name.lastIndex(of: UInt8(ascii: "."))
    return suffixes.contains(dot.map { Array(name[($0 + 1)...]) } ?? [])
  }
}

extension git_diff_delta {
  var isSubmodule: Bool { kinds.contains(.submodule) }

  /// Whether it is about a file and neither about a link nor about a submodule.
  var hasOnlyFiles: Bool { kinds.allSatisfy { $0 == .file || $0 == .executable } }

  /// What was there and what is there; one for a file that came or went.
  private var kinds: [TreeEntry.Kind] {
    [old_file.mode, new_file.mode].filter { $0 != 0 }.map { TreeEntry.Kind(git_filemode_t(UInt32($0))) }
  }
}
