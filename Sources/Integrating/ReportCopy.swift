import FoundationEssentials
import Glibc

/// The folder that `--output` names: a copy of a report, replaced as a whole.
package struct ReportCopy: Sendable {
  private let folder: Folder
  /// What tells a report of Martlet's from a folder of somebody else's.
  private static let marks: Set<String> = ["index.html", "integration.json", "style.css"]

  /// The path of the copy's first page.
  package var page: String { folder.file("index.html") }

  /// The path of another file of the copy.
  package func file(_ name: String) -> String { folder.file(name) }

  /// Refuses a folder that holds anything but a report of Martlet's.
  package init(to path: String) throws(IntegratingError) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    folder = Folder(path)
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    guard isFolder else {
      throw IntegratingError(.request, "cannot copy the report to \(path): it is a file. Name a folder with --output.")
    }
    let names = Set(folder.names())
    guard names.isEmpty || Self.marks.isSubset(of: names) else {
      throw IntegratingError(
        .request,
        "cannot copy the report to \(path): the folder holds other files, and the copy replaces all of it. Name a new or an empty folder with --output."
      )
    }
  }

  /// Copies the report aside and swaps it in, so that a full disk leaves the previous copy whole.
  package func publish(_ finished: FinishedIntegration) throws(IntegratingError) {
    let parent = folder.path.lastIndex(of: "/").map { String(folder.path[..<$0]) } ?? ""
    try Folder(parent.isEmpty ? "/" : parent).create()
    let aside = Folder("\(folder.path).\(getpid()).new")
    do {
      try aside.remove()
      try FileManager.default.copyItem(atPath: finished.report.path, toPath: aside.path)
      try Self.cutLinksOut(of: aside)
      try swap(aside)
    } catch {
      try? aside.remove()  // The first error is the one to tell.
      throw error as? IntegratingError
        ?? IntegratingError(
          .service,
          "cannot copy the report to \(folder.path): \(Folder.reason(error)). Make room there, or name another folder with --output; the report itself is \(finished.page)."
        )
    }
  }

  /// Takes out the links to the bot's page and to the baseline's report, which lie beside the report in the site and are
  /// not there in a copy.
  private static func cutLinksOut(of copy: Folder) throws(IntegratingError) {
    let mark = Array(#"<a class="up" href=""#.utf8)
    for name in copy.filesBeneath() where name.hasSuffix(".html") {
      guard let page = copy.read(name), page.firstRange(of: mark) != nil else { continue }
      var rest = page[...]
      var kept: [UInt8] = []
      while let start = rest.firstRange(of: mark) {
        kept += rest[..<start.lowerBound] + Array("<a".utf8)
        rest = rest[start.upperBound...].drop { $0 != UInt8(ascii: "\"") }.dropFirst()
      }
      try copy.create(name, kept + rest)
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
