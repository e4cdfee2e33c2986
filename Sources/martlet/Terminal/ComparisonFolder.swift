import Integrating
import Rendering

/// The folder given by `martlet compare --output`.
struct ComparisonFolder {
  private static let documentName = "comparison.json"
  private let output: OutputFolder

  /// Throws if the folder contains anything other than an earlier comparison.
  init(_ path: String) throws {
    let marks: Set = [Self.documentName, "index.html", "style.css"]
    output = try OutputFolder(path, for: "the comparison", marks: marks) {
      marks.contains($0) || ["martlet.js", "facts.css", "coverage"].contains($0)
    }
  }

  var page: String { output.folder.file("index.html") }

  /// Replaces an earlier comparison with the pages and their document.
  func write(_ files: [ReportPart.File], document: [UInt8]) throws {
    try output.replace { aside in
      try aside.create()
      try aside.create(Self.documentName, document)
      if files.contains(where: { $0.path.hasPrefix("coverage/") }) { try aside.folder("coverage").create() }
      for file in files { try aside.create(file.path, file.bytes) }
    }
  }
}
