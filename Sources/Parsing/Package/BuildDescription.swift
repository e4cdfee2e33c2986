/// SwiftPM's record of a build: its test executables, its modules and what is linked into the tests.
package struct BuildDescription: Hashable, Sendable {
  /// A Swift module with the object files that contain its code.
  ///
  /// SwiftPM builds a module twice that also runs in the build, as tools of plugins and what they contain do; macros
  /// only for that.
  package struct Module: Hashable, Sendable {
    package var name: String
    /// Whether it is built to run in the build.
    package var isOfTool: Bool
    /// The absolute paths of its object files.
    package var objects: [String]
    /// The absolute paths of its sources.
    package var sources: [String]
  }

  package var testProducts: [BuiltTestProduct] = []
  package var modules: [Module] = []
  /// The absolute paths of the object files in test executables. The modules on which tests depend do not tell: those
  /// that only run in the build are among them.
  package var testedObjects: Set<String> = []

  /// Reads the `description.json` that SwiftPM writes to the products folder.
  ///
  /// The file is internal to SwiftPM; its format is that of `BuildDescription` in
  /// https://github.com/swiftlang/swift-package-manager/blob/main/Sources/Build/BuildDescription/BuildDescription.swift
  ///
  /// - Throws: `ParsingError` if it has no list of test products; the rest is optional.
  package static func read(_ bytes: [UInt8]) throws -> BuildDescription {
    let file: DescriptionFile = try ToolJSON.read(bytes, of: "SwiftPM's description.json")
    let commands = (file.swiftCommands ?? [:]).sorted { $0.key < $1.key }
    // Tests of macros are built like what runs in the build.
    let folders = Set(file.builtTestProducts.flatMap { ["\($0.name).product", "\($0.name)-tool.product"] })
    let lists = (file.writeCommands ?? [:]).filter { path, _ in
      let parts = path.split(separator: "/").suffix(2)
      return parts.last == "Objects.LinkFileList" && parts.first.map { folders.contains(String($0)) } == true
    }
    return BuildDescription(
      testProducts: file.builtTestProducts,
      modules: commands.map { key, command in
        Module(
          name: command.moduleName ?? "", isOfTool: key.hasSuffix("-tool.module"), objects: command.objects ?? [],
          sources: command.sources ?? [])
      },
      testedObjects: Set(lists.values.flatMap { ($0.inputs ?? []).compactMap(\.name) }))
  }
}

/// What is read of a `description.json`.
private struct DescriptionFile: Decodable {
  struct Command: Decodable {
    var moduleName: String?
    var objects: [String]?
    var sources: [String]?
  }

  struct Written: Decodable {
    struct Input: Decodable {
      var name: String?
    }

    var inputs: [Input]?
  }

  var builtTestProducts: [BuiltTestProduct]
  var swiftCommands: [String: Command]?
  /// What SwiftPM writes itself, by path: the lists of what the linker takes, for one.
  var writeCommands: [String: Written]?
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
