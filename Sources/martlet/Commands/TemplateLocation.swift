import FoundationEssentials
import Integrating
import Rendering

/// The location of the templates that belong to this program, wherever it was started from.
enum TemplateLocation {
  /// Loads the program's own templates, with those of `--templates` or `MARTLET_TEMPLATES` taking precedence.
  static func load(override: String?, _ context: Context) throws -> ReportTemplates {
    let (over, executable) = (Self.override(override, context), context.executable)
    if let own = folder(beside: executable) { return try ReportTemplates(folder: own, over: over) }
    if let over { return try ReportTemplates(folder: over) }
    throw absence(beside: executable)
  }

  /// Returns this program with its templates, as other machines get it.
  static func program(_ arguments: ParsedArguments, _ context: Context) throws -> MachineProgram {
    let (over, executable) = (Self.override(arguments.value("--templates"), context), context.executable)
    guard let own = folder(beside: executable) ?? over else { throw absence(beside: executable) }
    return MachineProgram(executable: executable, templates: own, override: over == own ? nil : over)
  }

  private static func absence(beside executable: String) -> IntegratingError {
    IntegratingError(
      .service,
      "cannot find Martlet's templates: \(executable) is neither installed beside them (PREFIX/bin and PREFIX/share/martlet/templates) nor in a checkout of Martlet. Install Martlet again with script/install PREFIX, or name a folder with all of them with --templates DIR."
    )
  }

  /// Returns the absolute path of the folder whose templates take precedence over the program's own, or nil if there is
  /// none.
  static func override(_ option: String?, _ context: Context) -> String? {
    let named = [option, context.environment["MARTLET_TEMPLATES"]].compactMap(\.self).first { !$0.isEmpty }
    return named.map(context.absolute)
  }

  /// Returns the template folder of an installed program, `PREFIX/share/martlet/templates`, or of the checkout in which
  /// it was built.
  private static func folder(beside executable: String) -> String? {
    var parts = executable.split(separator: "/").dropLast()
    let installed = path(parts.dropLast()) + "/share/martlet/templates"
    if exists(installed) { return installed }
    while !parts.isEmpty {
      let checkout = path(parts)
      if exists("\(checkout)/templates"), exists("\(checkout)/Package.swift") { return "\(checkout)/templates" }
      parts = parts.dropLast()
    }
    return nil
  }

  private static func path(_ parts: ArraySlice<Substring>) -> String { parts.map { "/\($0)" }.joined() }

  private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
