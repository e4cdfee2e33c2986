import Testing

@testable import Parsing

/// What a plan says, in the form in which Swift 6.3.1 writes it.
@Suite("Build plans")
struct BuildPlanTests {
  private static let folder = "/p/.build/x86_64/debug"

  private static func task(
    _ name: String, _ tool: String = "shell", in inputs: [String], out outputs: [String], _ arguments: [String] = []
  ) -> String {
    func list(_ texts: [String]) -> String { texts.map { "\"\($0)\"" }.joined(separator: ",") }
    return """
        "\(name)":
          tool: \(tool)
          inputs: [\(list(inputs))]
          outputs: [\(list(outputs))]
          description: "\(name)"
          args: ["/usr/bin/swiftc",\(list(arguments))]


      """
  }

  /// The tasks of a Swift module: its compiler, what wraps it for a debugger, and a name for both.
  private static func module(
    _ name: String, on others: [String] = [], tool: String = "", _ arguments: [String] = []
  ) -> String {
    let (build, module) = ("\(folder)/\(name)\(tool).build", "\(folder)/Modules\(tool)/\(name).swiftmodule")
    return task(
      "C.\(name)\(tool).module", in: ["/p/Sources/\(name)/a.swift", "\(build)/sources"] + others,
      out: ["\(build)/a.swift.o", module], arguments)
      + task("\(build)/\(name).swiftmodule.o", in: [module], out: ["\(build)/\(name).swiftmodule.o"])
      + task("<\(name)\(tool).module>", "phony", in: ["\(build)/a.swift.o", module], out: ["<\(name)\(tool).module>"])
  }

  private static func made(_ name: String, tool: String = "") -> String {
    "\(folder)/Modules\(tool)/\(name).swiftmodule"
  }

  private func plan(_ tasks: String...) -> BuildPlan {
    let head = "client:\n  name: basic\ntools: {}\ntargets:\n  \"main\": [\"<Kit.module>\"]\ncommands:\n"
    return BuildPlan(Array((head + tasks.joined()).utf8), at: "/p/.build/debug.yaml")
  }

  // MARK: Tasks

  @Test("A task has what it reads and makes, and the module and folder of what it compiles")
  func tasks() throws {
    let plan = plan(Self.module("Kit", on: [Self.made("Core")]), Self.module("My_Kit", tool: "-tool"))
    let compilers = plan.tasks.filter { $0.module != nil }
    #expect(compilers.map(\.moduleName) == ["Kit", "My_Kit"])
    #expect(compilers.map(\.module) == [Self.made("Kit"), Self.made("My_Kit", tool: "-tool")])
    #expect(compilers.map(\.folder) == ["Kit.build", "My_Kit-tool.build"])
    #expect(
      compilers.first?.inputs == ["/p/Sources/Kit/a.swift", "\(Self.folder)/Kit.build/sources", Self.made("Core")])
    // What wraps a module makes an object as well, but no module.
    #expect(plan.tasks.filter { $0.module == nil }.compactMap(\.folder) == ["Kit.build", "My_Kit-tool.build"])
  }

  @Test("Texts with escapes are read, and lines of an unknown form passed over")
  func escapes() throws {
    let text = #"""
      commands:
        "C.Kit.module":
          tool: shell
          new-in-some-release: {"a": ["b"]}
          inputs: ["/p/my \"own\" \\ folder/a.swift","/p/gr\u00fcn.swift","/p/b c.swift"]
          outputs: ["/p/.build/debug/Kit.build/a.swift.o","/p/.build/debug/Modules/Kit.swiftmodule"]

      """#
    let task = try #require(BuildPlan(Array(text.utf8), at: "/p/.build/debug.yaml").tasks.last)
    #expect(task.inputs == [#"/p/my "own" \ folder/a.swift"#, "/p/grün.swift", "/p/b c.swift"])
    #expect(task.moduleName == "Kit")
    #expect(BuildPlan([], at: "/p").tasks == [BuildPlan.Task()])
  }

  @Test("The programs that expand macros are known, however the option reaches the compiler")
  func macros() {
    let option = "-load-plugin-executable"
    let plan = plan(
      Self.module("Kit", ["-Xfrontend", option, "-Xfrontend", "/p/my #1/Mac-tool#Mac", "-Xcc", "-x"]),
      Self.module("Own", [option, "/p/Two-tool#A,B", "-j2"]), Self.module("None", ["-Onone", option]),
      Self.module("Odd", [option, "/p/without"]))
    #expect(
      plan.tasks.filter { $0.module != nil }.map(\.macros) == [["/p/my #1/Mac-tool"], ["/p/Two-tool"], [], []])
    #expect(plan.macros == ["/p/my #1/Mac-tool", "/p/Two-tool"])
  }

  @Test("Modules of C are those that a C compiler makes objects of, those of tools under their own name")
  func modulesOfC() {
    func compiling(_ folder: String) -> String {
      Self.task("Compiling \(folder)", "clang", in: ["/p/\(folder).c"], out: ["\(Self.folder)/\(folder).build/c.c.o"])
    }
    let made = plan(Self.module("Kit"), compiling("My_C"), compiling("Gen-tool"))
    #expect(made.compilesC)
    #expect(made.modulesOfC == ["My_C", "Gen"])
    #expect(!plan(Self.module("Kit")).compilesC)
    #expect(plan(Self.module("Kit")).modulesOfC == [])
  }

  // MARK: Imports

  /// The imports without a dependency, by the modules that each compiler read.
  private func undeclared(_ plan: BuildPlan, _ read: [String: [String]], by wanted: Set<String>? = nil) -> [String] {
    plan.undeclaredImports(by: { task in wanted.map { $0.contains(task.moduleName ?? "") } ?? true }) { task in
      let tool = task.folder?.contains("-tool") == true ? "-tool" : ""
      return (read[(task.moduleName ?? "") + tool] ?? []).map { Self.made($0, tool: tool) }
    }
    .map { "\($0.module) \($0.imported)" }
  }

  @Test("An import of a module that is made before is declared, at any distance")
  func declared() {
    let plan = plan(
      Self.module("Deep"), Self.module("Extra", on: [Self.made("Deep")]), Self.module("Kit", on: [Self.made("Extra")]))
    #expect(undeclared(plan, ["Kit": ["Extra", "Deep", "Kit"], "Extra": ["Deep"]]) == [])
  }

  @Test("An import of a module that may be made later is not, and is told without what that one imports")
  func undeclared() {
    let plan = plan(
      Self.module("Kit"), Self.module("Deep"), Self.module("Extra", on: [Self.made("Deep")]),
      Self.module("KitTests", on: [Self.made("Kit")]))
    let read = ["Kit": ["Extra", "Deep"], "Extra": ["Deep"], "KitTests": ["Kit", "Extra", "Deep"]]
    // What depends on Kit has Extra by its mistake.
    #expect(undeclared(plan, read) == ["Kit Extra"])
    #expect(undeclared(plan, read, by: ["KitTests"]) == [])
    #expect(undeclared(plan, ["Kit": ["Foundation", "Kit"]]) == [])
  }

  @Test("A library or a generated source that is made before leads to the modules behind it")
  func linked() {
    let plan = plan(
      Self.module("Dyn"),
      Self.task("link", in: ["\(Self.folder)/Dyn.build/a.swift.o"], out: ["\(Self.folder)/libDyn.so"]),
      Self.module("Kit", on: ["\(Self.folder)/libDyn.so"]))
    #expect(undeclared(plan, ["Kit": ["Dyn"]]) == [])
  }

  @Test("What tools contain is compiled apart from the same modules of the package")
  func tools() {
    let plan = plan(
      Self.module("Core"), Self.module("Core", tool: "-tool"),
      Self.module("Mac", on: [Self.made("Core", tool: "-tool")], tool: "-tool"), Self.module("Mac"))
    #expect(undeclared(plan, ["Mac-tool": ["Core"]]) == [])
    #expect(undeclared(plan, ["Mac": ["Core"]]) == ["Mac Core"])
  }

  // MARK: Lists of what was read

  @Test(
    "The files of a rule are told, with blanks and other characters in their names",
    arguments: [
      ("/b/Kit.swiftmodule : /p/a.swift /p/b.swift\n/b/Kit.swiftdoc : /p/c.swift\n", ["/p/a.swift", "/p/b.swift"]),
      (##"/b\ c/Kit.o : /p\ q/a\ b.swift /p/\#1/$$x.swift"##, ["/p q/a b.swift", "/p/#1/$x.swift"]),
      ("Kit.o: a.h \\\n  b.h\n\nother: c.h\n", ["a.h", "b.h"]), ("", []), ("a b c\n", []), ("a :\n", []),
      (#"a : b\c \"#, [#"b\c"#, #"\"#]),
    ])
  func rules(list: String, files: [String]) {
    #expect(MakeRule.files(in: Array(list.utf8)) == files)
  }
}
