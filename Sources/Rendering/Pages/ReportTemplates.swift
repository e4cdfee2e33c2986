import FoundationEssentials

/// The templates, the style sheet and the script for reports.
package struct ReportTemplates: Sendable {
  /// The files that are copied into a report without changes.
  private static let assetNames = ["style.css", "martlet.js"]

  package let library: TemplateLibrary
  package let assets: [ReportRenderer.Asset]

  /// Loads a folder of templates, with files from another folder taking precedence over those of the same name.
  ///
  /// - Throws: `TemplateError` if a template cannot be read or parsed, or if a file is missing.
  package init(folder: String, over: String? = nil) throws(TemplateError) {
    let own = try TemplateLibrary(folder: folder)
    var assets: [ReportRenderer.Asset] = []
    var replacesOnlyAssets = false
    for name in Self.assetNames {
      if let over, let bytes = Self.read("\(over)/\(name)") {
        assets.append(ReportRenderer.Asset(name: name, bytes: bytes))
        replacesOnlyAssets = true
      } else if let bytes = Self.read("\(folder)/\(name)") {
        assets.append(ReportRenderer.Asset(name: name, bytes: bytes))
      } else {
        throw TemplateError(
          file: name, reason: "there is no such file in \(folder)",
          advice: "Install Martlet again, or put the file there; every page refers to it.")
      }
    }
    self.assets = assets
    guard let over else {
      library = own
      return
    }
    do throws(TemplateError) {
      library = try own.overlaid(by: over)
    } catch {
      // A folder that replaces only the style sheet or the script may lack templates.
      guard replacesOnlyAssets, error.position == nil, !error.file.hasSuffix(".mustache") else { throw error }
      library = own
    }
  }

  private static func read(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { [UInt8]($0) }
  }
}
