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

  /// Reads the `description.json` that SwiftPM writes to the products folder.
  ///
  /// The file is internal to SwiftPM; its format is that of `BuildDescription` in
  /// https://github.com/swiftlang/swift-package-manager/blob/main/Sources/Build/BuildDescription/BuildDescription.swift
  ///
  /// - Throws: `ParsingError` if it has no list of test products; the rest is optional.
  package static func read(_ bytes: [UInt8]) throws -> BuildDescription {
    let file: DescriptionFile = try ToolJSON.read(bytes, of: "SwiftPM's description.json")
    let commands = (file.swiftCommands ?? [:]).sorted { $0.key < $1.key }
    return BuildDescription(
      testProducts: file.builtTestProducts,
      modules: commands.map { _, command in
        Module(name: command.moduleName ?? "", objects: command.objects ?? [], sources: command.sources ?? [])
      },
      dependencies: file.targetDependencyMap ?? [:])
  }
}

/// What is read of a `description.json`.
private struct DescriptionFile: Decodable {
  struct Command: Decodable {
    var moduleName: String?
    var objects: [String]?
    var sources: [String]?
  }

  var builtTestProducts: [BuiltTestProduct]
  var swiftCommands: [String: Command]?
  var targetDependencyMap: [String: [String]]?
}

/// A test binary that SwiftPM has built.
package struct BuiltTestProduct: Hashable, Sendable, Decodable {
  private enum CodingKeys: String, CodingKey {
    case name = "productName"
    case binaryPath, packagePath
  }

  /// The name, such as `GreeterPackageTests`.
  package var name: String
  /// The absolute path of the binary.
  package var binaryPath: String
  /// The absolute path of the tested package's folder.
  package var packagePath: String
}
