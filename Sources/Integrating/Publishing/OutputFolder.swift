import FoundationEssentials
import Glibc
import Model
import Processes

/// The folder that `--output` names: what Martlet wrote there before is replaced, anything else is left alone.
package struct OutputFolder: Sendable {
  package let folder: Folder
  /// What is written there, with its article.
  private let content: String
  /// Whether a name at the top of the folder is one that Martlet writes.
  private let isOurs: @Sendable (String) -> Bool

  /// Refuses a folder that contains something, but no earlier content.
  ///
  /// - Parameters:
  ///   - content: what is written there, such as `the report`.
  ///   - marks: the names that together distinguish a folder that Martlet wrote to from any other.
  ///   - isOurs: whether the content may have a name at its top.
  package init(
    _ path: String, for content: String, marks: Set<String>, isOurs: @escaping @Sendable (String) -> Bool
  ) throws(IntegratingError) {
    var path = path
    while path.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
    folder = Folder(path)
    self.content = content
    self.isOurs = isOurs
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      do throws(IntegratingError) {
        try folder.create()
      } catch {
        throw IntegratingError(
          .request, "cannot copy \(content) to \(path): no folder can be made there. Choose another one with --output.")
      }
      return
    }
    guard isFolder else {
      throw IntegratingError(
        .request, "cannot copy \(content) to \(path): it is a file. Name a folder with --output.")
    }
    guard access(path, W_OK | X_OK) == 0 else {
      throw IntegratingError(
        .request,
        "cannot copy \(content) to \(path): \(SystemReason.words(of: errno)). Choose another folder with --output.")
    }
    let names = Set(folder.names())
    // What a killed copy left aside is Martlet's, too.
    let isOfKilled = names.contains { Self.process(ofAside: $0) != nil }
    guard names.isEmpty || marks.isSubset(of: names) || isOfKilled else {
      throw IntegratingError(
        .request,
        "cannot copy \(content) to \(path): the folder holds other files, and no earlier copy. Name a new or an empty folder with --output."
      )
    }
  }

  /// Fills a folder aside and moves its contents into place, so that a full disk leaves the previous content whole.
  ///
  /// The folder itself is kept: it may be the current directory of a shell, or a mount point.
  ///
  /// - Parameters:
  ///   - kept: where the content can be found if that fails, as the end of a sentence.
  ///   - fill: makes the folder that it is given, and its contents.
  package func replace(kept: String = "", _ fill: (Folder) throws -> Void) throws(IntegratingError) {
    let aside = folder.folder(Self.aside("new"))
    do {
      try folder.create()
      try clearUp()
      try fill(aside)
      try swap(aside)
      try aside.remove()
    } catch {
      try? aside.remove()  // The first error is the one to report.
      throw error as? IntegratingError
        ?? IntegratingError(
          .service,
          "cannot copy \(content) to \(folder.path): \(SystemReason.of(error)). Make room there, or name another folder with --output\(kept)."
        )
    }
  }

  /// Removes what killed copies left; what they had moved away comes back unless something took its place.
  private func clearUp() throws {
    for name in folder.names() {
      guard Self.process(ofAside: name)?.isOfEarlierProcess == true else { continue }
      let left = folder.folder(name)
      if name.hasSuffix(".old") {
        for entry in left.names() where !folder.holds(entry) { rename(left.file(entry), folder.file(entry)) }
      }
      try left.remove()
    }
  }

  private static func aside(_ purpose: String) -> String { ".martlet.\(getpid()).\(purpose)" }

  /// Returns the process whose copy used a folder of this name; nil for any other name, such as `.martlet.yml`.
  private static func process(ofAside name: String) -> ProcessNumber? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "martlet", ["new", "old"].contains(parts[3]) else {
      return nil
    }
    return ProcessNumber(parts[2])
  }

  /// Moves the previous content aside and the new one into its place, the first page last; moves everything back if
  /// that fails.
  private func swap(_ new: Folder) throws {
    let names = new.names()
    let old = try folder.folder(Self.aside("old")).create()
    let previous = folder.names().filter { isOurs($0) || names.contains($0) }
    let moves =
      previous.map { (folder.file($0), old.file($0)) }
      + names.sorted { $1 == "index.html" && $0 != $1 }.map { (new.file($0), folder.file($0)) }
    var done: [(from: String, to: String)] = []
    do {
      for (from, to) in moves {
        guard rename(from, to) == 0 else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
        done.append((from, to))
      }
    } catch {
      for move in done.reversed() { rename(move.to, move.from) }
      throw error
    }
    try old.remove()
  }
}
