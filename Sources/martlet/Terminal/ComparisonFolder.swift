import FoundationEssentials
import Glibc
import Integrating
import Rendering

/// The folder that `martlet compare --output` names.
struct ComparisonFolder {
  private static let documentName = "comparison.json"
  private let folder: Folder

  /// Refuses a folder that holds anything but an earlier comparison.
  init(_ path: String) throws {
    folder = Folder(path)
    guard folder.exists else { return }
    let names = Set(folder.names())
    guard names.isEmpty || names.contains(Self.documentName) else {
      throw IntegratingError(
        .request,
        "cannot write a comparison to \(path): it is no folder, or one that holds other files. Name a new or an empty folder with --output."
      )
    }
  }

  /// The path of the page.
  var page: String { folder.file("index.html") }

  func write(_ files: [ReportPart.File], document: [UInt8]) throws {
    try folder.create()
    for file in files { try folder.write(file.bytes, to: file.path) }
    try folder.write(document, to: Self.documentName)
  }
}
