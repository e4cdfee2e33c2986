/// A test binary that SwiftPM has built.
package struct BuiltTestProduct: Hashable, Sendable {
  /// Such as `GreeterPackageTests`.
  package var name: String
  /// Absolute.
  package var binaryPath: String
  /// The folder of the package that it tests, absolute.
  package var packagePath: String

  package init(name: String, binaryPath: String, packagePath: String) {
    self.name = name
    self.binaryPath = binaryPath
    self.packagePath = packagePath
  }

  private static let input = "SwiftPM's description.json"

  /// Reads the `description.json` that SwiftPM writes into the folder of the products; empty when no tests were built.
  ///
  /// The file is SwiftPM's own note to itself, `BuildDescription` in
  /// https://github.com/swiftlang/swift-package-manager/blob/main/Sources/Build/BuildDescription/BuildDescription.swift
  package static func read(_ bytes: [UInt8]) throws -> [BuiltTestProduct] {
    var scanner = JSONScanner(bytes, input: input)
    var products: [BuiltTestProduct]?
    try scanner.readObject { scanner, key in
      guard case "builtTestProducts" = key else { return try scanner.skipValue() }
      var list: [BuiltTestProduct] = []
      try scanner.readArray { scanner in list.append(try readProduct(&scanner)) }
      products = list
    }
    try scanner.finish()
    guard let products else { throw ParsingError(input, reason: "it has no list of built test products") }
    return products
  }

  private static func readProduct(_ scanner: inout JSONScanner) throws -> BuiltTestProduct {
    let start = scanner.position
    var name: String?
    var binaryPath: String?
    var packagePath: String?
    try scanner.readObject { scanner, key in
      switch key {
      case "productName": name = try scanner.readString()
      case "binaryPath": binaryPath = try scanner.readString()
      case "packagePath": packagePath = try scanner.readString()
      default: try scanner.skipValue()
      }
    }
    guard let name else { throw scanner.error("a test product has no name", at: start) }
    guard let binaryPath else { throw scanner.error("the test product \(name) has no binary", at: start) }
    guard let packagePath else { throw scanner.error("the test product \(name) has no package", at: start) }
    return BuiltTestProduct(name: name, binaryPath: binaryPath, packagePath: packagePath)
  }
}
