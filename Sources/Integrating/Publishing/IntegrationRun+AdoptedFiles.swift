import Model
import Rendering

extension IntegrationRun {
  /// Gives an integration the kept files of the one whose results it adopts, as far as documents name them.
  func adoptFiles(of integration: Integration) throws(IntegratingError) {
    for cell in integration.all {
      guard let earlier = cell.earlier else { continue }
      let place = cell.isCell ? ReportPaths.cell(cell.destination?.name ?? "") : "."
      let source = context.integrations.folder("\(earlier.number)")
      let (from, to) = place == "." ? (source, kept) : (source.folder(place), kept.folder(place))
      if cell.isCell, let coverage = from.coverage(adoptedBy: number) {
        try to.create().create(CoverageDocument.fileName, coverage)
      }
      for folder in ["attachments", "archive"] { try to.folder(folder).adoptFiles(of: from.folder(folder)) }
    }
  }
}

extension Folder {
  /// Returns the coverage of the integration in the folder, under the number of one that adopts its results; nil if it has
  /// none that can be read.
  func coverage(adoptedBy number: Int) -> [UInt8]? {
    guard let bytes = read(CoverageDocument.fileName), var document = try? CoverageDocument(reading: bytes) else {
      return nil
    }
    document.number = number
    return Array(document.text.utf8)
  }

  /// Adds the files of another folder, which nobody writes to any more.
  fileprivate func adoptFiles(of other: Folder) throws(IntegratingError) {
    for name in other.filesBeneath() {
      let parent = name.split(separator: "/").dropLast().joined(separator: "/")
      try (parent.isEmpty ? self : folder(parent)).create()
      guard !share(name, of: other), let bytes = other.read(name) else { continue }
      try create(name, bytes)
    }
  }
}
