import Model
package import Rendering

extension FinishedIntegration {
  /// Writes the report once more as a single file, beside its pages.
  ///
  /// - Returns: the path of the file, and its contents.
  package func writeSingleFile(with templates: ReportTemplates) throws(IntegratingError) -> (
    path: String, file: SingleFile
  ) {
    do {
      let file = try SingleFile(of: integration, library: templates.library) { report.read($0) }
      try report.write(file.bytes, to: SingleFile.fileName)
      return (report.file(SingleFile.fileName), file)
    } catch {
      throw error as? IntegratingError
        ?? IntegratingError(.service, "\(error)\nThe report itself is \(page); only its single file could not be made.")
    }
  }
}
