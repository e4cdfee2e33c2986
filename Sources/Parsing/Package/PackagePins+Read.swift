package import Model

extension PackagePins {
  /// Reads a `Package.resolved` of version 1, 2 or 3.
  ///
  /// The three versions are described in
  /// https://github.com/swiftlang/swift-package-manager/blob/main/Sources/PackageGraph/ResolvedPackagesStore.swift
  ///
  /// - Returns: nil for an unknown version, or if the bytes are not such a file.
  package static func read(_ bytes: [UInt8]) -> PackagePins? {
    var file = ResolvedFile()
    do {
      try file.read(bytes)
    } catch {
      return nil  // SwiftPM itself reports what is wrong with it.
    }
    switch file.version {
    case 1: return file.oldPins.map(PackagePins.init)
    case 2, 3: return file.pins.map(PackagePins.init)
    default: return nil
    }
  }
}

/// The members of a `Package.resolved` in file order; which of them count depends on the version, which comes last.
private struct ResolvedFile {
  var version: Int?
  var pins: [PackagePins.Pin]?
  /// The pins of version 1, which are in a separate object.
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
    // Version 1 records the name in the dependency's manifest; later versions derive the identity from its location.
    if pin.identity.isEmpty { pin.identity = location.map(identity) ?? "" }
    guard !pin.identity.isEmpty else { throw scanner.error("a pin names no package", at: start) }
    return pin
  }

  /// Returns SwiftPM's identity of a package: the last component of its repository's address, in lower case.
  private static func identity(of location: String) -> String {
    let last = location.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? ""
    return (last.hasSuffix(".git") ? String(last.dropLast(4)) : last).lowercased()
  }
}
