package import Model

extension PackagePins {
  /// Reads a `Package.resolved` of version 1, 2 or 3.
  ///
  /// The three versions are described in
  /// https://github.com/swiftlang/swift-package-manager/blob/main/Sources/PackageGraph/ResolvedPackagesStore.swift
  ///
  /// - Returns: nil for an unknown version, or if the bytes are not such a file.
  package static func read(_ bytes: [UInt8]) -> PackagePins? {
    // SwiftPM itself reports what is wrong with it.
    guard let file: ResolvedFile = try? ToolJSON.read(bytes, of: "Package.resolved") else { return nil }
    let pins: [ResolvedFile.Pin]?
    switch file.version {
    case 1: pins = file.object?.pins
    case 2, 3: pins = file.pins
    default: pins = nil
    }
    guard let pins = pins?.map(\.pin), !pins.contains(where: \.identity.isEmpty) else { return nil }
    return PackagePins(pins)
  }
}

/// What is read of a `Package.resolved`.
private struct ResolvedFile: Decodable {
  /// The pins of version 1.
  struct Object: Decodable {
    var pins: [Pin]?
  }

  struct Pin: Decodable {
    var identity: String?
    var repositoryURL: String?
    var state: State?

    /// The pin, with an empty identity if it names no package.
    var pin: PackagePins.Pin {
      // Version 1 records the name in the dependency's manifest; later versions derive the identity from its location.
      PackagePins.Pin(
        identity ?? repositoryURL.map(Self.identity) ?? "", version: state?.version, branch: state?.branch,
        revision: state?.revision)
    }

    /// Returns SwiftPM's identity of a package: the last component of its repository's address, in lower case.
    private static func identity(of location: String) -> String {
      let last = location.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? ""
      return (last.hasSuffix(".git") ? String(last.dropLast(4)) : last).lowercased()
    }
  }

  struct State: Decodable {
    var version: String?
    var branch: String?
    var revision: String?
  }

  var version: Int
  var pins: [Pin]?
  var object: Object?
}
