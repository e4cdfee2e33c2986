import Model
import Parsing
import Testing

@testable import Integrating

@Suite("What SwiftPM overlooks when it continues from an earlier build")
struct OverlookedChangesTests {
  private typealias Module = PlannedBuild.Module
  private typealias Surroundings = OverlookedChanges.Surroundings

  private let built: PlannedBuild

  init() throws {
    built = try PlannedBuild()
  }

  private var swiftBuild: OverlookedChanges {
    built.changes(of: SwiftBuildEngine(scratch: built.build, configuration: "debug"))
  }

  private func leftovers() throws -> Leftovers { built.engine.leftovers(of: try #require(built.engine.plan)) }

  private func paths(_ names: String...) -> [String] { names.map { "\(PlannedBuild.place)/\($0)" } }

  /// Plans modules and builds them for the first time.
  private func begin(_ modules: [Module], _ others: [(tool: String, input: String, output: String)] = []) throws {
    try built.plan(modules, others)
    #expect(try built.changes.settle() == nil)
  }

  // MARK: Leftovers

  @Test("Modules, programs and resources that the plan does not make are left over, and nothing else")
  func leftOver() throws {
    let bundle = "Kit_Kit.resources"
    try built.plan(
      [Module(name: "Kit")],
      ["a.txt", "en.lproj/b.txt", "Folder/"].map { ("copy-tool", "/p/\($0)", built.product("\(bundle)/\($0)")) }
        + [("shell", "/p/main.o", built.product("tool"))])
    try built.make("\(bundle)/a.txt", "\(bundle)/en.lproj/b.txt", "\(bundle)/Folder/deep/any.txt")
    try built.make("tool", mode: 0o755)
    try built.make(
      "description.json", "Modules/Old.swiftdoc", "Old.build/a.swift.o", "Old.product/Objects.LinkFileList")
    try built.make("index/program", mode: 0o755)
    #expect(try leftovers() == Leftovers())

    try built.make("\(bundle)/old.txt", "\(bundle)/en.lproj/old.txt", "Old_Old.resources/c.txt")
    try built.make("Modules/Old.swiftmodule", "Modules-tool/Older.swiftmodule")
    try built.make("old", "libOld.so", mode: 0o755)
    let left = try leftovers()
    #expect(left.modules == paths("Modules/Old.swiftmodule", "Modules-tool/Older.swiftmodule"))
    #expect(
      Set(left.files)
        == Set(
          paths("\(bundle)/old.txt", "\(bundle)/en.lproj/old.txt", "Old_Old.resources/c.txt", "old", "libOld.so")))
  }

  @Test("A link is left alone, and so is what it leads to")
  func links() throws {
    try begin([Module(name: "Kit")])
    for path in ["outside/c.txt", "outside/Old.swiftmodule"] {
      try built.scratch.folder.createFolder(of: path)
      try built.scratch.folder.write("", to: path)
    }
    try built.build.folder(PlannedBuild.place).link("Old_Old.resources", to: built.scratch.file("outside"))
    try built.build.folder(PlannedBuild.place).link("Modules-tool", to: built.scratch.file("outside"))
    try built.build.folder(PlannedBuild.place).link("sh", to: "/bin/sh")
    #expect(try built.changes.settle() == nil)
    #expect(built.scratch.folder.folder("outside").names() == ["Old.swiftmodule", "c.txt"])
    #expect(built.build.folder(PlannedBuild.place).linkTarget(of: "sh") == "/bin/sh")
  }

  @Test("Without a plan, or with that of another folder, nothing is left over")
  func unplanned() throws {
    try built.make("Modules/Old.swiftmodule", "Old_Old.resources/c.txt")
    #expect(try built.changes.settle() == nil)
    let elsewhere = BuildPlan(
      Array("  \"x\":\n    tool: shell\n    outputs: [\"/elsewhere/debug/tool\"]\n".utf8), at: "/elsewhere/debug.yaml")
    #expect(built.engine.leftovers(of: elsewhere) == Leftovers())
    #expect(built.holds("Modules/Old.swiftmodule"))
  }

  @Test("Where a module was left over, all of the repository's code is compiled again without it, once")
  func leftModule() throws {
    try begin([Module(name: "Kit"), Module(name: "Other", isOwn: false)])
    try built.make("Modules/Old.swiftmodule")
    #expect(try built.changes.settle() != nil)
    #expect(!built.holds("Modules/Old.swiftmodule"))
    #expect(!built.holds("Kit.build/a.swift.o"))
    #expect(!built.holds("Kit.build/primary.priors"))
    #expect(!built.holds("Modules/Kit.swiftmodule"))
    #expect(built.holds("Other.build/a.swift.o"))
    try built.compile("Kit")
    built.changes.noteEnd()
    #expect(try built.changes.settle() == nil)
    #expect(built.holds("Kit.build/a.swift.o"))
  }

  @Test("A build that failed is repeated from nothing where a target has a module by chance that no build had before")
  func failedByChance() throws {
    try begin([Module(name: "Kit"), Module(name: "Extra")])
    try built.compile("Kit", reading: ["Extra"])
    #expect(try built.changes.settleFailure() != nil)
    #expect(!built.holds("Kit.build/a.swift.o"))
    for name in ["Kit", "Extra"] { try built.compile(name, reading: name == "Kit" ? ["Extra"] : []) }
    built.changes.noteEnd()
    #expect(try built.changes.settleFailure() == nil)
    #expect(built.holds("Kit.build/a.swift.o"))
  }

  @Test("A build that failed is repeated where a module was left over, and otherwise leaves everything as it is")
  func failedBuild() throws {
    try begin([Module(name: "Kit")])
    #expect(try built.changes.settleFailure() == nil)
    #expect(built.holds("Kit.build/a.swift.o"))
    try built.make("Modules/Old.swiftmodule")
    #expect(try built.changes.settleFailure() != nil)
    #expect(!built.holds("Modules/Old.swiftmodule"))
    #expect(!built.holds("Kit.build/a.swift.o"))
    #expect(try built.changes.settleFailure() == nil)
  }

  @Test("A program or a resource that was left over goes, and nothing is compiled for it")
  func leftFile() throws {
    try begin([Module(name: "Kit")])
    try built.make("old", mode: 0o755)
    try built.make("Old_Old.resources/c.txt")
    #expect(try built.changes.settle() == nil)
    #expect(!built.holds("old"))
    #expect(!built.holds("Old_Old.resources/c.txt"))
    #expect(built.holds("Kit.build/a.swift.o"))
  }

  // MARK: Macros

  private let withMacro = [
    Module(name: "Kit", macros: ["Mac-tool"]), Module(name: "Plain"),
    Module(name: "Other", macros: ["Mac-tool"], isOwn: false),
  ]
  private var macro: (tool: String, input: String, output: String) { ("shell", "/p/m.o", built.product("Mac-tool")) }

  @Test("When a macro changes, what uses it is compiled again, once")
  func macros() throws {
    try built.make("Mac-tool", text: "1", mode: 0o755)
    try begin(withMacro, [macro])
    #expect(try built.changes.settle() == nil)
    try built.make("Mac-tool", text: "2", mode: 0o755)
    #expect(try built.changes.settle() != nil)
    #expect(!built.holds("Kit.build/a.swift.o"))
    #expect(!built.holds("Other.build/a.swift.o"))
    #expect(built.holds("Plain.build/a.swift.o"))
    #expect(try built.changes.settle() == nil)
  }

  @Test("A macro that changed in a build that failed or was killed is not forgotten, not even in the first one")
  func failedMacros() throws {
    try built.make("Mac-tool", text: "1", mode: 0o755)
    try built.plan(withMacro, [macro])
    // The first build failed; so did the second, which changed the macro.
    built.changes.noteBegin(Surroundings(headers: [], versions: ""))
    try built.make("Mac-tool", text: "2", mode: 0o755)
    built.changes.noteBegin(Surroundings(headers: [], versions: ""))
    #expect(try built.changes.settle() != nil)
    #expect(!built.holds("Kit.build/a.swift.o"))
  }

  @Test("A macro that comes, and one that was linked again with all that uses it, has nothing compiled again")
  func otherMacros() throws {
    try begin([Module(name: "Kit")])
    try built.make("Mac-tool", text: "1", mode: 0o755)
    try built.plan(withMacro, [macro])
    #expect(try built.changes.settle() == nil)
    try built.make("Mac-tool", text: "2", mode: 0o755)
    built.changes.noteEnd()
    #expect(try built.changes.settle() == nil)
  }

  // MARK: Imports

  private let apart = [Module(name: "Kit"), Module(name: "Extra"), Module(name: "KitTests", others: ["Kit"])]
  private let chance = UndeclaredImport(module: "Kit", imported: "Extra")

  @Test("An import without a dependency has all built from nothing, and is known if that compiles")
  func imports() throws {
    try begin(apart)
    try built.compile("Kit", reading: ["Extra"])
    try built.compile("KitTests", reading: ["Kit", "Extra"])
    for _ in 1...2 {
      // Until a build from nothing succeeds, each one tries.
      #expect(try built.changes.settle() != nil)
      #expect(!built.engine.output.exists)
      try built.plan(apart)
      try built.compile("Kit", reading: ["Extra"])
    }
    #expect(built.changes.known.chances == [])
    built.changes.noteEnd()
    #expect(built.changes.known.chances == [chance])
    #expect(try built.changes.settle() == nil)
    #expect(built.holds("Kit.build/a.swift.o"))

    try built.compile("Kit")
    #expect(try built.changes.settle() == nil)
    #expect(built.changes.known.chances == [])
  }

  @Test("An import without a dependency that a build from nothing compiled is known")
  func firstImports() throws {
    try built.plan(apart)
    try built.compile("Kit", reading: ["Extra"])
    #expect(try built.changes.settle() == nil)
    #expect(built.changes.known.chances == [chance])
  }

  @Test("What the packages of others import is their matter")
  func foreignImports() throws {
    try begin([Module(name: "Kit", isOwn: false), Module(name: "Extra", isOwn: false)])
    try built.compile("Kit", reading: ["Extra"])
    #expect(try built.changes.settle() == nil)
    #expect(built.changes.known.chances == [])
  }

  @Test(
    "The warning of an import stands where the target is declared, whatever its module is called",
    arguments: [
      ("  products: [.library(name: \"Kit\", targets: [\"Kit\"])],\n  targets: [.target(name: \"Kit\")]", "Kit", 2),
      (".target(\n  name: \"Kit\",", "Kit", 2), ("\n\n.executableTarget(name: \"Kit\")", "Kit", 3),
      (".testTarget(name: \"KitTests\"), .macro(name: \"Kit\")", "Kit", 1), ("targets: makeTargets()", "Kit", nil),
      (".target(name: \"My-Kit\")", "My_Kit", 1), (".target(name: \"My_Kit\")", "My-Kit", nil),
    ])
  func warning(manifest: String, module: String, line: Int?) {
    let warning = UndeclaredImport(module: module, imported: "Extra").warning(in: manifest)
    #expect(warning.severity == .warning)
    #expect(warning.location == line.map { SourceLocation(file: "Package.swift", line: $0) })
  }

  @Test("The warning calls a target by its name")
  func warningName() {
    let warning = UndeclaredImport(module: "My_Kit", imported: "Extra").warning(in: ".target(name: \"My-Kit\")")
    #expect(warning.message.hasPrefix("My-Kit imports Extra, "))
  }

  // MARK: Headers and targets

  @Test("Headers that come or go have code compiled again, until that is noted")
  func headers() throws {
    try built.plan([Module(name: "Kit")])
    let first = Surroundings(headers: ["a.h"], versions: "1")
    #expect(!built.changes.isOutdated(by: first))
    built.changes.noteBegin(first)
    #expect(!built.changes.isOutdated(by: first))
    for headers in [["a.h", "b.h"], [], ["c.h"]] {
      let now = Surroundings(headers: headers, versions: "1")
      // A build that is killed before it begins leaves the reason.
      #expect(built.changes.isOutdated(by: now))
      #expect(built.changes.isOutdated(by: now))
      built.changes.noteBegin(now)
      #expect(!built.changes.isOutdated(by: now))
    }
  }

  @Test("Code that is compiled again is planned again")
  func plannedAgain() throws {
    try built.plan([Module(name: "Kit")])
    try built.make("description.json", "Kit.txt")
    try built.changes.forgetCode(of: built.engine.plan)
    #expect(built.engine.plan == nil)
    #expect(!built.holds("description.json"))
    #expect(built.holds("Kit.txt"))
  }

  @Test("Other versions of dependencies may have other headers, where C is compiled or nobody knows")
  func versions() throws {
    let (first, second) = (Surroundings(headers: [], versions: "1"), Surroundings(headers: [], versions: "2"))
    built.changes.noteBegin(first)
    try built.plan([Module(name: "Kit")])
    #expect(!built.changes.isOutdated(by: second))
    try built.plan([Module(name: "Kit")], [("clang", "/p/c.c", built.product("C.build/c.c.o"))])
    #expect(built.changes.isOutdated(by: second))
    #expect(swiftBuild.isOutdated(by: second))
  }

  @Test("Targets that are gone have everything built again, and those that come have not")
  func targets() {
    func now(_ targets: Set<String>?) -> Surroundings { Surroundings(headers: [], versions: "", targets: targets) }
    swiftBuild.noteBegin(now(["Kit", "Extra"]))
    #expect(swiftBuild.isOutdated(by: now(["Kit"])))
    #expect(!swiftBuild.isOutdated(by: now(["Kit", "Extra", "More"])))
    // A manifest that cannot be read says nothing.
    #expect(!swiftBuild.isOutdated(by: now(nil)))
    swiftBuild.noteBegin(now(nil))
    #expect(swiftBuild.isOutdated(by: now(["Kit"])))
    swiftBuild.noteBegin(now(["Kit"]))
    #expect(!swiftBuild.isOutdated(by: now(["Kit"])))
  }

  @Test("Only the repository's code is forgotten where there is a plan, and everything where there is none")
  func forgotten() throws {
    try built.plan(
      [Module(name: "Kit"), Module(name: "Other", isOwn: false)],
      [("clang", built.scratch.file("source/C/c.c"), built.product("C.build/c.c.o"))])
    try built.make("C.build/c.c.o", "tool")
    try built.changes.forgetCode(of: built.engine.plan)
    #expect(!built.holds("Kit.build/a.swift.o"))
    #expect(!built.holds("C.build/c.c.o"))
    #expect(built.holds("Other.build/a.swift.o"))
    #expect(built.holds("tool"))
    try built.plan([Module(name: "Other", isOwn: false)])
    try built.changes.forgetCode(of: nil)
    #expect(!built.holds("Other.build/a.swift.o"))
    #expect(built.build.holds("debug.yaml"))
  }
}
