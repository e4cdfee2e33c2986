import CProcess
package import Glibc

/// Changes that programs made to the files in a folder, as relative paths in byte order.
///
/// Files that were only touched, and folders without files, are not included. Names that are not valid text are
/// approximated.
package struct FolderChanges: Hashable, Sendable {
  package var added: [String] = []
  package var changed: [String] = []
  package var removed: [String] = []
  /// Whether there were more files than are examined.
  package var isCut = false
}

extension FolderView {
  /// The most files to examine.
  private static let mostEntries = 100_000

  /// The changes made in the view. Valid only while no program that sees the view is running.
  package var changes: FolderChanges {
    let before = FolderWalk(original, most: kind == .overlay ? 0 : Self.mostEntries)
    let now = FolderWalk(kind == .overlay ? upper : content, most: Self.mostEntries)
    var changes = FolderChanges(isCut: now.isCut || (kind == .copy && before.isCut))
    for (name, status) in now.files {
      // An overlay represents a removed file by a device with number 0.
      if status.st_mode & S_IFMT == S_IFCHR, status.st_rdev == 0 {
        changes.removed.append(Self.text(name))
      } else if let old = before.status(of: name) {
        if !Self.areAlike(old, status) { changes.changed.append(Self.text(name)) }
      } else {
        changes.added.append(Self.text(name))
      }
    }
    for name in before.files.keys where now.files[name] == nil { changes.removed.append(Self.text(name)) }
    changes.added.sort()
    changes.changed.sort()
    changes.removed.sort()
    return changes
  }

  private static func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }

  private static func areAlike(_ old: stat, _ new: stat) -> Bool {
    old.st_mode == new.st_mode && old.st_size == new.st_size && old.st_mtim.tv_sec == new.st_mtim.tv_sec
      && old.st_mtim.tv_nsec == new.st_mtim.tv_nsec
  }
}

/// All files below a folder, with their metadata, found without following links.
package struct FolderWalk: ~Copyable {
  private let root: Descriptor
  /// The files by their paths, which need not be valid text.
  package let files: [[UInt8]: stat]
  /// Whether there were more files than are examined, or a folder that cannot be listed.
  let isCut: Bool

  /// - Parameter most: The most files to examine; 0 for none.
  package init(_ folder: String, most: Int) {
    let root = Descriptor(owning: Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    var files: [[UInt8]: stat] = [:]
    var (isFull, isShut) = (false, false)
    var waiting: [[UInt8]] = most > 0 ? [[]] : []
    while !isFull, let name = waiting.popLast() {
      let descriptor = Self.open(name[...], in: root)
      let isListed = Descriptor.eachName(closing: descriptor) { last in
        var status = stat()
        guard fstatat(descriptor, last, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return true }
        let bytes = last.dropLast().map(UInt8.init(bitPattern:))
        let path = name + (name.isEmpty ? [] : [47]) + bytes
        if status.st_mode & S_IFMT == S_IFDIR {
          waiting.append(path)
        } else if files.count < most {
          files[path] = status
        } else {
          isFull = true
        }
        return !isFull
      }
      if !isListed { isShut = true }
    }
    self.root = root
    self.files = files
    isCut = isFull || isShut
  }

  private static func open(_ folder: ArraySlice<UInt8>, in root: borrowing Descriptor) -> Int32 {
    let path = folder.isEmpty ? [46, 0] : folder.map(CChar.init(bitPattern:)) + [0]
    return cprocess_open_beneath(root.number, path, O_RDONLY | O_DIRECTORY, false)
  }

  /// Returns the metadata of a file, or nil if it does not exist.
  func status(of name: [UInt8]) -> stat? {
    let end = name.lastIndex(of: 47)
    let descriptor = Self.open(name[..<(end ?? 0)], in: root)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    let last = name[(end.map { $0 + 1 } ?? 0)...].map(CChar.init(bitPattern:)) + [0]
    return fstatat(descriptor, last, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }
}
