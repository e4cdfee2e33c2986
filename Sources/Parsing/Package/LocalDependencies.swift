/// The dependencies that SwiftPM builds from folders as they lie there, without any version.
package enum LocalDependencies {
  /// Reads the folders from what SwiftPM keeps in `workspace-state.json`.
  ///
  /// - Returns: absolute paths; nil if the bytes are not such a file.
  package static func read(_ bytes: [UInt8]) -> [String]? {
    let file: KeptWorkspace? = try? ToolJSON.read(bytes, of: "workspace-state.json")
    return file?.object.dependencies.filter { ["fileSystem", "local"].contains($0.packageRef.kind) }.map(
      \.packageRef.location)
  }
}

private struct KeptWorkspace: Decodable {
  struct Object: Decodable {
    var dependencies: [Dependency]
  }

  struct Dependency: Decodable {
    var packageRef: Reference
  }

  struct Reference: Decodable {
    var kind: String
    var location: String
  }

  var object: Object
}
