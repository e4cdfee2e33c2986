import Model
import Testing

@testable import Integrating

@Suite("What SwiftPM's own build system leaves")
struct NativeEngineTests {
  private let scratch: Scratch
  private let engine: NativeEngine

  init() throws {
    scratch = try Scratch()
    engine = NativeEngine(scratch: scratch.folder.folder("build"), configuration: "debug")
  }

  private func object(_ module: String) -> String { scratch.file("build/debug/\(module).build/a.o") }

  /// Builds modules, those that run in the build with `-tool`, and links some of them into the tests.
  private func outcome(_ modules: [String], unbuilt: [String] = [], tested: [String]) throws -> BuildProducts {
    let products = try #require(engine.products)
    for module in modules { try products.folder("\(module).build").create().write([1], to: "a.o") }
    let commands = (modules + unbuilt).map { module in
      let isOfTool = module.hasSuffix("-tool")
      let name = isOfTool ? String(module.dropLast(5)) : module
      return """
        "C.\(name)-x86_64-debug\(isOfTool ? "-tool" : "").module": {"moduleName": "\(name)",
          "objects": ["\(object(module))"], "sources": ["\(scratch.file("Kit/Sources/\(name)/a.swift"))"]}
        """
    }
    let inputs = tested.map { #"{"kind": "file", "name": "\#(object($0))"}"# }
    let text = """
      {"builtTestProducts": [{"productName": "KitPackageTests", "packagePath": "\(scratch.file("Kit"))",
        "binaryPath": "\(scratch.file("build/debug/KitPackageTests.xctest"))"}],
      "swiftCommands": {\(commands.joined(separator: ", "))},
      "targetDependencyMap": {"KitPackageTests": ["Kit", "GenPlugin", "GenTool", "GenCore", "KitMacros"]},
      "writeCommands": {"\(scratch.file("build/debug/KitPackageTests.product/Objects.LinkFileList"))":
        {"inputs": [\(inputs.joined(separator: ", "))]}}}
      """
    try products.write(Array(text.utf8), to: "description.json")
    return try engine.outcome(in: products, of: PackagePaths(scratch.file("Kit"))) {
      () throws(IntegrationStop) in PackageModel(name: "Kit", targets: [])
    }
  }

  @Test("A tool that only runs in the build, and what it consists of, counts like a program that no test contains")
  func tools() throws {
    let built = try outcome(
      ["App", "GenCore", "GenCore-tool", "GenTool", "GenTool-tool", "Kit", "KitTests"], tested: ["Kit", "KitTests"])
    #expect(Set(built.looseObjects) == Set(["App", "GenCore", "GenTool"].map(object)))
    #expect(built.unbuiltSources == [])
    #expect(built.images == [scratch.file("build/debug/KitPackageTests.xctest")])
  }

  @Test("What tests contain does not count again, in whichever way it was built")
  func tested() throws {
    let modules = ["GenCore", "GenCore-tool", "GenTool", "GenTool-tool", "Kit", "KitTests"]
    #expect(try outcome(modules, tested: ["GenCore", "Kit", "KitTests"]).looseObjects == [object("GenTool")])
    #expect(try outcome(modules, tested: modules.filter { $0 != "GenCore" && $0 != "GenTool" }).looseObjects == [])
  }

  @Test("A macro that no test contains has no counters, and what only other platforms need is unbuilt")
  func macros() throws {
    let built = try outcome(
      ["Kit", "KitTests", "KitMacros-tool"], unbuilt: ["Elsewhere"], tested: ["Kit", "KitTests"])
    #expect(built.looseObjects == [])
    #expect(built.unbuiltSources == ["Sources/Elsewhere/a.swift"])
  }
}
