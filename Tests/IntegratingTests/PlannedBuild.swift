import Glibc
import Parsing

@testable import Integrating

/// A scratch folder of SwiftPM's own build system with a plan, in a folder with a blank in its name.
struct PlannedBuild {
  /// A module of a package.
  struct Module {
    var name: String
    /// The modules on which it depends.
    var others: [String] = []
    /// The names of the programs that expand its macros.
    var macros: [String] = []
    /// Whether its source lies in the repository.
    var isOwn = true
  }

  static let place = "x86/debug"
  let scratch: Scratch

  var build: Folder { scratch.folder.folder("my build") }
  var memory: Folder { scratch.folder.folder("memory") }
  var engine: NativeEngine { NativeEngine(scratch: build, configuration: "debug") }
  var changes: OverlookedChanges { changes(of: engine) }

  init() throws {
    scratch = try Scratch()
    try build.create().link("debug", to: Self.place)
  }

  func changes(of engine: any BuildEngine) -> OverlookedChanges {
    OverlookedChanges(
      engine: engine, scratch: build, memory: memory, sources: PackagePaths(scratch.file("source")))
  }

  /// Returns the absolute path of a product.
  func product(_ name: String) -> String { build.file("\(Self.place)/\(name)") }

  func module(_ name: String) -> String { product("Modules/\(name).swiftmodule") }

  /// Makes products.
  func make(_ names: String..., text: String = "", mode: mode_t = 0o644) throws {
    for name in names {
      let path = "\(Self.place)/\(name)"
      try build.createFolder(of: path)
      try build.write(text, to: path)
      chmod(build.file(path), mode)
    }
  }

  func holds(_ name: String) -> Bool { build.holds("\(Self.place)/\(name)") }

  // MARK: The plan

  /// Plans modules and other tasks, and makes what the compilers leave.
  ///
  /// - Parameter others: what other tasks make, each by the name of its tool.
  func plan(_ modules: [Module], _ others: [(tool: String, input: String, output: String)] = []) throws {
    let compiling = modules.map(task)
    let rest = others.map { text($0.tool, [$0.input], [$0.output], []) }
    try build.write("commands:\n" + (compiling + rest).joined(), to: "debug.yaml")
    for module in modules { try compile(module.name) }
  }

  /// Makes what a compiler leaves of a module.
  ///
  /// - Parameter read: the names of the modules that it read.
  func compile(_ name: String, reading read: [String] = []) throws {
    let files = ([scratch.file("source/\(name).swift")] + read.map(module)).map { $0.replacing(" ", with: "\\ ") }
    try make("\(name).build/a.swift.o", "\(name).build/primary.priors", "Modules/\(name).swiftmodule")
    try make("\(name).build/\(name).emit-module.d", text: "Module : \(files.joined(separator: " "))\n")
  }

  private func task(of module: Module) -> String {
    let source =
      module.isOwn ? scratch.file("source/\(module.name).swift") : build.file("checkouts/\(module.name).swift")
    return text(
      "shell", [source] + module.others.map(self.module),
      [product("\(module.name).build/a.swift.o"), self.module(module.name)],
      module.macros.flatMap { ["-load-plugin-executable", "\(product($0))#Macros"] })
  }

  private func text(_ tool: String, _ inputs: [String], _ outputs: [String], _ arguments: [String]) -> String {
    func list(_ texts: [String]) -> String { texts.map { "\"\($0)\"" }.joined(separator: ",") }
    return """
        "\(outputs[0])":
          tool: \(tool)
          inputs: [\(list(inputs))]
          outputs: [\(list(outputs))]
          description: "Making \(outputs[0])"
          args: [\(list(arguments))]


      """
  }
}
