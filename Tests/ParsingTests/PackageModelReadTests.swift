import Model
@testable import Parsing
import Testing

@Suite("What SwiftPM says about a package")
struct PackageModelReadTests {
  private func message<Value>(_ text: String, _ read: ([UInt8]) throws -> Value) -> String? {
    do {
      _ = try read(Array(text.utf8))
      return nil
    } catch {
      return "\(error)"
    }
  }

  private let advice = "If the tool ended normally, its format is new to Martlet; please report it."

  @Test("Targets, their types and sources are read")
  func describe() throws {
    let package = try PackageModel.read(try CoverageFixture.bytes("Oddities-describe.json"))
    #expect(package.name == "Oddities")
    #expect(package.hasTestTargets)
    let targets = package.targets.sorted { $0.name < $1.name }
    #expect(targets.map(\.name) == ["Inlined", "Oddities", "OdditiesTests"])
    #expect(targets.map(\.type) == ["library", "library", "test"])
    #expect(targets[1].sourcePaths.sorted() == ["Sources/Oddities/Columns.swift", "Sources/Oddities/Members.swift"])
  }

  @Test("Dependencies may look like anything")
  func dependencies() throws {
    let text = #"{"name":"P","targets":[],"dependencies":[{"identity":"a"},{"type":{"x":[1]}}],"platforms":[]}"#
    #expect(try PackageModel.read(Array(text.utf8)) == PackageModel(name: "P", targets: []))
  }

  @Test("What is missing is named")
  func missing() {
    let start = "Cannot read the output of swift package describe"
    #expect(message(#"{"targets":[]}"#, PackageModel.read) == "\(start): 'name' is missing. \(advice)")
    #expect(message(#"{"name":"P"}"#, PackageModel.read) == "\(start): 'targets' is missing. \(advice)")
    #expect(
      message(#"{"name":"P","targets":[{"name":"T","path":"p"}]}"#, PackageModel.read)
        == "\(start): 'targets.0.type' is missing. \(advice)")
    #expect(
      message(#"{"name":"P","targets":[{"name":"T","path":"p","type":[]}]}"#, PackageModel.read)
        == "\(start): 'targets.0.type' is not what the format says. \(advice)")
    for text in ["error: no manifest", "", "[]"] {
      #expect(message(text, PackageModel.read) == "\(start): it is no valid JSON object. \(advice)")
    }
  }

  @Test("What runs while the package is built are macros, plugins that are no commands, and all that they are made of")
  func runsInBuild() throws {
    let text = """
      {"name": "P", "targets": [
        {"name": "Words", "type": "library", "path": "a"},
        {"name": "Maker", "type": "executable", "path": "b", "target_dependencies": ["Words"]},
        {"name": "Make", "type": "plugin", "path": "c", "target_dependencies": ["Maker"],
          "plugin_capability": {"type": "buildTool"}},
        {"name": "Print", "type": "plugin", "path": "i", "target_dependencies": ["Till"],
          "plugin_capability": {"type": "command", "intent": {"type": "custom", "verb": "print"}, "permissions": []}},
        {"name": "Signs", "type": "library", "path": "d"},
        {"name": "Stringify", "type": "macro", "path": "e", "target_dependencies": ["Signs"]},
        {"name": "Shop", "type": "library", "path": "f", "target_dependencies": ["Make", "Stringify", "Till"]},
        {"name": "Till", "type": "library", "path": "g"},
        {"name": "ShopTests", "type": "test", "path": "h", "target_dependencies": ["Shop", "Words"]}]}
      """
    let running = try PackageModel.read(Array(text.utf8)).targets.filter(\.runsInBuild).map(\.name)
    #expect(running == ["Words", "Maker", "Make", "Signs", "Stringify"])
  }

  @Test("A macro is tested if a test target depends on it itself, and not on what uses it")
  func macros() throws {
    let text = """
      {"name": "P", "targets": [
        {"name": "Used", "type": "macro", "path": "a"}, {"name": "Tested", "type": "macro", "path": "b"},
        {"name": "Shop", "type": "library", "path": "c", "target_dependencies": ["Used", "Tested"]},
        {"name": "ShopTests", "type": "test", "path": "d", "target_dependencies": ["Shop", "Tested"]}]}
      """
    let untested = try PackageModel.read(Array(text.utf8)).targets.filter(\.isUntestedMacro).map(\.name)
    #expect(untested == ["Used"])
  }

  @Test("Products are read with the kind that decides their file; what is linked into others is no file")
  func products() throws {
    let text = """
      {"name": "P", "targets": [], "products": [
        {"name": "tool", "targets": ["T"], "type": {"executable": null}},
        {"name": "Auto", "targets": ["A"], "type": {"library": ["automatic"]}},
        {"name": "Dyn", "targets": ["A"], "type": {"library": ["dynamic"]}},
        {"name": "Stat", "targets": ["A"], "type": {"library": ["static"]}},
        {"name": "plug", "targets": ["B"], "type": {"plugin": null}}]}
      """
    let kinds: [PackageModel.Product.Kind] = [.executable, .other, .dynamicLibrary, .staticLibrary, .other]
    #expect(try PackageModel.read(Array(text.utf8)).products.map(\.kind) == kinds)
  }

  @Test("Built test products are read from SwiftPM's description of the build")
  func testProducts() throws {
    let products = try BuildDescription.read(try CoverageFixture.bytes("description.json")).testProducts
    #expect(
      products == [
        BuiltTestProduct(
          name: "CodeCoveragePackageTests",
          binaryPath: "/src/.build/x86_64-unknown-linux-gnu/debug/CodeCoveragePackageTests.xctest",
          packagePath: "/src")
      ])
    #expect(try BuildDescription.read(Array(#"{"builtTestProducts":[]}"#.utf8)).testProducts.isEmpty)
  }

  @Test("A description of a build says which modules there are and what is linked into the tests")
  func modules() throws {
    let description = try BuildDescription.read(try CoverageFixture.bytes("description.json"))
    let area = description.modules.first { $0.name == "Area" }
    #expect(area?.objects == ["/src/.build/x86_64-unknown-linux-gnu/debug/Area.build/CoveredClass.swift.o"])
    #expect(area?.sources == ["/src/Sources/Area/CoveredClass.swift"])
    #expect(area?.isOfTool == false)
    let debug = "/src/.build/x86_64-unknown-linux-gnu/debug"
    #expect(description.testedObjects.contains("\(debug)/Area.build/CoveredClass.swift.o"))
    #expect(description.testedObjects.contains("\(debug)/CodeCoveragePackageTests.build/runner.swift.o"))
  }

  @Test("What only runs in the build is not linked into the tests, unless they depend on it", arguments: ["", "-tool"])
  func tools(suffix: String) throws {
    let text = """
      {"builtTestProducts": [{"productName": "KitPackageTests", "binaryPath": "/b/T.xctest", "packagePath": "/p"}],
      "swiftCommands": {
        "C.gen-tool-x86_64-debug.module": {"moduleName": "gen_tool", "objects": ["/b/gen-tool.build/a.o"]},
        "C.gen-tool-x86_64-debug-tool.module": {"moduleName": "gen_tool", "objects": ["/b/gen-tool-tool.build/a.o"]}
      },
      "targetDependencyMap": {"KitPackageTests": ["Kit", "GenPlugin", "gen-tool"]},
      "writeCommands": {
        "/b/KitPackageTests\(suffix).product/Objects.LinkFileList":
          {"inputs": [{"kind": "virtual", "name": "<link-file-list>"}, {"name": "/b/Kit\(suffix).build/a.o"}]},
        "/b/gen-tool.product/Objects.LinkFileList": {"inputs": [{"name": "/b/gen-tool.build/a.o"}]},
        "/b/KitPackageTests.build/sources": {"inputs": [{"name": "/p/Tests/a.swift"}]}
      }}
      """
    let description = try BuildDescription.read(Array(text.utf8))
    #expect(description.testedObjects == ["<link-file-list>", "/b/Kit\(suffix).build/a.o"])
    #expect(description.modules.map(\.isOfTool) == [true, false])
  }

  @Test("A description without test products is an error, not an empty list")
  func noTestProducts() {
    let start = "Cannot read SwiftPM's description.json"
    #expect(message("{}", BuildDescription.read) == "\(start): 'builtTestProducts' is missing. \(advice)")
    #expect(
      message(#"{"builtTestProducts":[{"productName":"T"}]}"#, BuildDescription.read)
        == "\(start): 'builtTestProducts.0.binaryPath' is missing. \(advice)")
  }

  @Test("Truncated descriptions are errors, never traps")
  func truncated() throws {
    let bytes = try CoverageFixture.bytes("description.json")
    for length in stride(from: 0, to: bytes.count - 2, by: 97) {
      #expect(throws: ParsingError.self) { try BuildDescription.read(Array(bytes[..<length])) }
    }
  }
}
