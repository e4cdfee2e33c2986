import FoundationEssentials
import Model
import Parsing

/// Captured output of Swift 6.3.1, with the folders of the machine replaced by `/src/`.
enum DiagnosticFixture {
  private static let folder =
    #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
    + "/Fixtures/diagnostics/swift-6.3.1"

  /// The bytes of a fixture, such as `dia/garden-Beds.dia`.
  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
  }

  static func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  /// The names of the fixtures in a subfolder that end in a suffix, without it.
  static func names(in subfolder: String, suffix: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(subfolder)")) ?? []
    return files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
  }

  /// The diagnostics of a `.dia` fixture.
  static func serialized(_ name: String, root: String? = nil) throws -> [Diagnostic] {
    try SerializedDiagnostics.read(bytes("dia/\(name).dia"), named: name, relativise: relative(to: root))
  }

  /// The diagnostics of a log, fed in chunks of a size.
  static func printed(_ name: String, chunk: Int = .max) throws -> BuildLog.Reading {
    read(try bytes("log/\(name).log"), chunk: chunk)
  }

  static func read(_ bytes: [UInt8], root: String? = nil, chunk: Int = .max) -> BuildLog.Reading {
    var log = BuildLog(relativise: relative(to: root))
    var rest = bytes[...]
    while !rest.isEmpty {
      log.append(rest.prefix(chunk))
      rest = rest.dropFirst(chunk)
    }
    return BuildLog.Reading(diagnostics: log.finish(), progress: log.progress, lastWords: log.lastWords)
  }

  /// Takes a root off paths; without one, `/src/` and the name of the package below it.
  static func relative(to root: String?) -> @Sendable (String) -> String? {
    { path in
      if let root { return path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : nil }
      guard path.hasPrefix("/src/"), let slash = path.dropFirst(5).firstIndex(of: "/") else { return nil }
      return String(path[slash...].dropFirst())
    }
  }

  /// Diagnostics as lines of text, notes indented.
  static func render(_ diagnostics: [Diagnostic], indent: String = "") -> String {
    diagnostics.map { diagnostic in
      var line = indent + (diagnostic.isLinker ? "linker " : "") + diagnostic.severity.rawValue
      if let place = diagnostic.location { line += " \(place)" }
      line += ": " + diagnostic.message.split(separator: "\n").joined(separator: "\n\(indent)| ")
      if let category = diagnostic.category { line += " [\(category)]" }
      return line + "\n" + render(diagnostic.notes, indent: indent + "  ")
    }.joined()
  }
}

extension BuildLog {
  /// What a log came to.
  struct Reading: Equatable {
    var diagnostics: [Diagnostic]
    var progress: BuildProgress?
    var lastWords: [String]

    /// Everything as text, for comparison with a golden file.
    var text: String {
      var text = DiagnosticFixture.render(diagnostics)
      if let progress {
        let count = progress.done.map { "\($0) of \(progress.total ?? 0): " } ?? ""
        text += "progress: \(count)\(progress.words)\n"
      }
      return text + lastWords.map { "last words: \($0)\n" }.joined()
    }
  }
}
