import FoundationEssentials
package import Model
package import Rendering

/// One finished integration, read back from its folder in the home or from a copy of its report.
package struct StoredIntegration: Sendable {
  /// The file that makes a folder an integration's.
  static let fileName = "integration.json"

  package let document: IntegrationDocument
  /// The bytes that the document was read from.
  package let bytes: [UInt8]
  let folder: Folder

  /// Whether a folder holds an integration.
  package static func isHeld(by path: String) -> Bool { Folder(path).holds(fileName) }

  /// Reads the documents of a folder.
  package init(in path: String) throws(IntegratingError) {
    try self.init(in: Folder(path))
  }

  init(in folder: Folder) throws(IntegratingError) {
    self.folder = folder
    let path = folder.file(Self.fileName)
    guard let bytes = folder.read(Self.fileName) else {
      throw IntegratingError(
        .request, "cannot read \(path): there is no such regular file. Name a folder that holds an integration.json.")
    }
    self.bytes = bytes
    do {
      document = try IntegrationDocument.decoder.decode(IntegrationDocument.self, from: Data(bytes))
    } catch {
      throw IntegratingError(
        .request,
        "cannot read \(path): it is no whole \(IntegrationDocument.schemaName) document. Integrate the commit again to have it written anew."
      )
    }
    guard document.schema == IntegrationDocument.schemaName else {
      throw IntegratingError(
        .request,
        "cannot read \(path): it says that it is \(VisibleText.of(document.schema)), not \(IntegrationDocument.schemaName). Use the Martlet that wrote it."
      )
    }
  }

  /// Reads the coverage by lines with what it leaves out, its paths relative to a folder of the repository; nil when there
  /// is none.
  func coverage(beneath package: String) throws(IntegratingError) -> Coverage? {
    guard var coverage = try coverage()?.coverage(beneath: package) else { return nil }
    let prefix = package == "." ? "" : "\(package)/"
    coverage.exclusions = (document.coverage.excluded ?? []).compactMap { exclusion in
      let path = document.repositoryPath(exclusion.path)
      guard path.hasPrefix(prefix) else { return nil }
      var exclusion = exclusion
      exclusion.path = String(path.dropFirst(prefix.count))
      return exclusion
    }
    return coverage
  }

  /// Reads the coverage by lines; nil when the folder holds none, because there is no coverage or it was not copied.
  package func coverage() throws(IntegratingError) -> CoverageDocument? {
    guard let bytes = folder.read(CoverageDocument.fileName) else { return nil }
    do throws(ExportError) {
      return try CoverageDocument(reading: bytes)
    } catch {
      throw IntegratingError(.request, "\(folder.path): \(error)")
    }
  }
}
