/// SwiftPM's record of a build: its test executables, its modules and what is linked into what.
package struct BuildDescription: Hashable, Sendable {
  /// A Swift module with the object files that contain its code.
  package struct Module: Hashable, Sendable {
    package var name: String
    /// The absolute paths of its object files.
    package var objects: [String]
    /// The absolute paths of its sources.
    package var sources: [String]
  }

  package var testProducts: [BuiltTestProduct] = []
  package var modules: [Module] = []
  /// The modules that each module or product contains, by name.
  package var dependencies: [String: [String]] = [:]

  static let input = "SwiftPM's description.json"

  /// Reads the `description.json` that SwiftPM writes to the products folder.
  ///
  /// The file is internal to SwiftPM; its format is that of `BuildDescription` in
  /// https://github.com/swiftlang/swift-package-manager/blob/main/Sources/Build/BuildDescription/BuildDescription.swift
  ///
  /// - Throws: `ParsingError` if it has no list of test products; the rest is optional.
  package static func read(_ bytes: [UInt8]) throws -> BuildDescription {
    var scanner = JSONScanner(bytes, input: input)
    var description = BuildDescription()
    var products: [BuiltTestProduct]?
    try scanner.readObject { scanner, key in
      switch key {
      case "builtTestProducts":
        var list: [BuiltTestProduct] = []
        try scanner.readArray { scanner in list.append(try BuiltTestProduct.read(&scanner)) }
        products = list
      case "swiftCommands":
        try scanner.readObject { scanner, _ in description.modules.append(try readModule(&scanner)) }
      case "targetDependencyMap":
        try scanner.readObject { scanner, target in
          description.dependencies[target.text] = try readStrings(&scanner)
        }
      default:
        try scanner.skipValue()
      }
    }
    try scanner.finish()
    guard let products else { throw ParsingError(input, reason: "it has no list of built test products") }
    description.testProducts = products
    return description
  }

  private static func readModule(_ scanner: inout JSONScanner) throws -> Module {
    var module = Module(name: "", objects: [], sources: [])
    try scanner.readObject { scanner, key in
      switch key {
      case "moduleName": module.name = try scanner.readString()
      case "objects": module.objects = try readStrings(&scanner)
      case "sources": module.sources = try readStrings(&scanner)
      default: try scanner.skipValue()
      }
    }
    return module
  }

  private static func readStrings(_ scanner: inout JSONScanner) throws -> [String] {
    var strings: [String] = []
    try scanner.readArray { scanner in strings.append(try scanner.readString()) }
    return strings
  }
}

/// A test binary that SwiftPM has built.
package struct BuiltTestProduct: Hashable, Sendable {
  /// The name, such as `GreeterPackageTests`.
  package var name: String
  /// The absolute path of the binary.
  package var binaryPath: String
  /// The absolute path of the tested package's folder.
  package var packagePath: String

  package init(name: String, binaryPath: String, packagePath: String) {
    self.name = name
    self.binaryPath = binaryPath
    self.packagePath = packagePath
  }

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
