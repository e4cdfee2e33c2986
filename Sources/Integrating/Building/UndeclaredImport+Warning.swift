import Model
import Parsing

extension UndeclaredImport {
  /// Returns what a build says that succeeded by chance.
  ///
  /// - Parameter manifest: the text of `Package.swift`.
  func warning(in manifest: String) -> Diagnostic {
    let target = target(in: manifest)
    return Diagnostic(
      severity: .warning,
      message:
        "\(target?.name ?? module) imports \(imported), but does not depend on it: builds from scratch may fail. Add it to the target's dependencies.",
      location: target.map { SourceLocation(file: "Package.swift", line: $0.line) })
  }

  /// Returns the target that is the module that imports, as far as a text tells. A module's name has underscores where
  /// its target's has other characters.
  private func target(in manifest: String) -> (name: String, line: Int)? {
    let named = manifest.matches(of: /(?:[tT]arget|macro)\(\s*name:\s*"([^"]+)"/).first { match in
      String(match.1.map { $0.isLetter || $0.isNumber ? $0 : "_" }) == module
    }
    return named.map { match in
      (String(match.1), manifest[..<match.1.startIndex].count { $0.isNewline } + 1)
    }
  }
}

extension IntegrationRun {
  /// The warnings of imports by which the last successful build succeeded by chance.
  var chanceWarnings: [Diagnostic] {
    let chances = overlookedChanges.known.chances ?? []
    guard !chances.isEmpty else { return [] }
    let manifest = packageFolder.text(of: "Package.swift") ?? ""
    return chances.map { $0.warning(in: manifest) }
  }
}
