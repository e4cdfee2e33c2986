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

  /// Reads one product of a `BuildDescription`.
  static func read(_ scanner: inout JSONScanner) throws -> BuiltTestProduct {
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
