import FoundationEssentials
import Glibc

/// The folder that `--output` names, which Martlet replaces as a whole.
package struct OutputFolder: Sendable {
  package let folder: Folder
  /// What goes there, with its article.
  private let content: String

  /// Refuses a folder that holds anything but what Martlet wrote there before.
  ///
  /// - Parameters:
  ///   - content: what goes there, such as `the report`.
  ///   - marks: the names that together tell a folder of Martlet's from one of somebody else's.
  package init(_ path: String, for content: String, marks: Set<String>) throws(IntegratingError) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    folder = Folder(path)
    self.content = content
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    guard isFolder else {
      throw IntegratingError(
        .request, "cannot copy \(content) to \(path): it is a file. Name a folder with --output.")
    }
    let names = Set(folder.names())
    guard names.isEmpty || marks.isSubset(of: names) else {
      throw IntegratingError(
        .request,
        "cannot copy \(content) to \(path): the folder holds other files, and the copy replaces all of it. Name a new or an empty folder with --output."
      )
    }
  }

  /// Has a folder aside filled and swaps it in, so that a full disk leaves the previous content whole.
  ///
  /// - Parameters:
  ///   - kept: where the content can be found when that fails; the end of a sentence.
  ///   - fill: makes the folder that it is given, and what is in it.
  package func replace(kept: String = "", _ fill: (Folder) throws -> Void) throws(IntegratingError) {
    let parent = folder.path.lastIndex(of: "/").map { String(folder.path[..<$0]) } ?? ""
    try Folder(parent.isEmpty ? "/" : parent).create()
    let aside = Folder("\(folder.path).\(getpid()).new")
    do {
      try aside.remove()
      try fill(aside)
      try swap(aside)
    } catch {
      try? aside.remove()  // The first error is the one to tell.
      throw error as? IntegratingError
        ?? IntegratingError(
          .service,
          "cannot copy \(content) to \(folder.path): \(Folder.reason(error)). Make room there, or name another folder with --output\(kept)."
        )
    }
  }

  private func swap(_ aside: Folder) throws(IntegratingError) {
    guard folder.exists else { return try aside.rename(to: folder) }
    let old = Folder("\(folder.path).\(getpid()).old")
    try folder.rename(to: old)
    do throws(IntegratingError) {
      try aside.rename(to: folder)
    } catch {
      try old.rename(to: folder)
      throw error
    }
    try old.remove()
  }
}
