import FoundationEssentials
package import Model
package import Rendering

/// One finished integration, read back from its folder in the home or from a copy of its report.
package struct StoredIntegration: Sendable {
  /// The file that makes a folder an integration's.
  static let fileName = "integration.json"

  package let document: IntegrationDocument
  /// Nil when the folder holds none: there is no coverage, or the documents were copied without it.
  package let coverage: CoverageDocument?

  /// Whether a folder holds an integration.
  package static func isHeld(by path: String) -> Bool { Folder(path).holds(fileName) }

  /// Reads the documents of a folder.
  package init(in path: String) throws(IntegratingError) {
    try self.init(in: Folder(path))
  }

  init(in folder: Folder) throws(IntegratingError) {
    let path = folder.file(Self.fileName)
    guard let bytes = folder.read(Self.fileName) else {
      throw IntegratingError(
        .request, "cannot read \(path): there is no such regular file. Name a folder that holds an integration.json.")
    }
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
    guard let bytes = folder.read(CoverageDocument.fileName) else {
      coverage = nil
      return
    }
    do throws(ExportError) {
      coverage = try CoverageDocument(reading: bytes)
    } catch {
      throw IntegratingError(.request, "\(folder.path): \(error)")
    }
  }
}
