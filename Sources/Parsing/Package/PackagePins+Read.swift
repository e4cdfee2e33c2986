package import Model

extension PackagePins {
  /// Reads a `Package.resolved` of version 1, 2 or 3.
  ///
  /// The three are described in
  /// https://github.com/swiftlang/swift-package-manager/blob/main/Sources/PackageGraph/ResolvedPackagesStore.swift
  ///
  /// - Returns: nil for a version that is not known, and for what is no such file: nothing is known of its pins.
  package static func read(_ bytes: [UInt8]) -> PackagePins? {
    var file = ResolvedFile()
    do {
      try file.read(bytes)
    } catch {
      return nil  // SwiftPM itself says what is wrong with it.
    }
    switch file.version {
    case 1: return file.oldPins.map(PackagePins.init)
    case 2, 3: return file.pins.map(PackagePins.init)
    default: return nil
    }
  }
}

/// The members of a `Package.resolved` as they come; which of them count depends on the version, which stands behind.
private struct ResolvedFile {
  var version: Int?
  var pins: [PackagePins.Pin]?
  /// Those of version 1, which stand in an object of their own.
  var oldPins: [PackagePins.Pin]?

  mutating func read(_ bytes: [UInt8]) throws {
    var scanner = JSONScanner(bytes, input: "Package.resolved")
    var file = ResolvedFile()
    try scanner.readObject { scanner, key in
      switch key {
      case "version": file.version = try scanner.readInt()
      case "pins": file.pins = try Self.readPins(&scanner)
      case "object":
        try scanner.readObject { scanner, key in
          switch key {
          case "pins": file.oldPins = try Self.readPins(&scanner)
          default: try scanner.skipValue()
          }
        }
      default: try scanner.skipValue()
      }
    }
    try scanner.finish()
    self = file
  }

  private static func readPins(_ scanner: inout JSONScanner) throws -> [PackagePins.Pin] {
    var pins: [PackagePins.Pin] = []
    try scanner.readArray { scanner in pins.append(try readPin(&scanner)) }
    return pins
  }

  private static func readPin(_ scanner: inout JSONScanner) throws -> PackagePins.Pin {
    let start = scanner.position
    var pin = PackagePins.Pin("")
    var location: String?
    try scanner.readObject { scanner, key in
      switch key {
      case "identity": pin.identity = try scanner.readString()
      case "repositoryURL": location = try scanner.readString()
      case "state":
        try scanner.readObject { scanner, key in
          switch key {
          case "version": pin.version = try scanner.readStringOrNull()
          case "branch": pin.branch = try scanner.readStringOrNull()
          case "revision": pin.revision = try scanner.readStringOrNull()
          default: try scanner.skipValue()
          }
        }
      default: try scanner.skipValue()
      }
    }
    // Version 1 names what the manifest of the dependency calls itself; since then its place gives the identity.
    if pin.identity.isEmpty { pin.identity = location.map(identity) ?? "" }
    guard !pin.identity.isEmpty else { throw scanner.error("a pin names no package", at: start) }
    return pin
  }

  /// What SwiftPM calls the package of a repository: the last part of the address, in lower case.
  private static func identity(of location: String) -> String {
    let last = location.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? ""
    return (last.hasSuffix(".git") ? String(last.dropLast(4)) : last).lowercased()
  }
}
