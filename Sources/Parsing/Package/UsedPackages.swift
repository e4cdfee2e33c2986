/// The packages that SwiftPM has fetched for a build, by its own note of them.
package enum UsedPackages {
  /// Reads the identities of a `workspace-state.json`, which SwiftPM keeps in the scratch folder.
  ///
  /// The file is `WorkspaceStateStorage` in
  /// https://github.com/swiftlang/swift-package-manager/blob/main/Sources/Workspace/Workspace%2BState.swift
  ///
  /// - Returns: nil when it does not say: it is SwiftPM's note to itself, and may change.
  package static func read(_ bytes: [UInt8]) -> Set<String>? {
    var scanner = JSONScanner(bytes, input: "SwiftPM's workspace-state.json")
    var identities: Set<String>?
    do {
      try scanner.readObject { scanner, key in
        guard case "object" = key else { return try scanner.skipValue() }
        try scanner.readObject { scanner, key in
          guard case "dependencies" = key else { return try scanner.skipValue() }
          var found: Set<String> = []
          try scanner.readArray { scanner in found.insert(try readIdentity(&scanner)) }
          identities = found
        }
      }
      try scanner.finish()
    } catch {
      return nil
    }
    return identities
  }

  private static func readIdentity(_ scanner: inout JSONScanner) throws -> String {
    let start = scanner.position
    var identity: String?
    try scanner.readObject { scanner, key in
      guard case "packageRef" = key else { return try scanner.skipValue() }
      try scanner.readObject { scanner, key in
        guard case "identity" = key else { return try scanner.skipValue() }
        identity = try scanner.readString()
      }
    }
    guard let identity else { throw scanner.error("a dependency names no package", at: start) }
    return identity
  }
}
