import Model
import Testing

@testable import Parsing

/// What is carried from build to build, by the plan and the output of Swift 6.3.1.
@Suite("Remembered warnings")
struct RememberedWarningsTests {
  private var remembered = RememberedWarnings()
  /// The versions of the files in the package and of what tasks made.
  private var versions = [
    "Package.swift": "1", "Sources/C/c.c": "1", "Sources/C/sub/d.c": "1", "Sources/C/more/d.c": "1",
    "Sources/C/include/c.h": "1", "/p/.build/debug.yaml": "1", "/p/.build/debug/C.build/c.c.o": "1",
    "/p/.build/debug/C.build/sub/d.c.o": "1", "/p/.build/debug/C.build/more/d.c.o": "1", "/p/.build/out/G.swift": "1",
  ]
  private var plan: [String] = [
    Self.compiling("c.c"), Self.compiling("sub/d.c"), Self.compiling("more/d.c"),
    Self.task("shell", "/p/.build/debug/Gen", "/p/.build/out/G.swift", "Generating G"),
    #"""
      "PackageStructure":
        tool: package-structure-tool
        inputs: ["/p/Sources/C/","/p/Package.swift"]
        outputs: ["<PackageStructure>"]
        description: "Planning build"

    """#,
  ]

  private static func task(_ tool: String, _ input: String, _ output: String, _ description: String) -> String {
    #"""
      "\#(output)":
        tool: \#(tool)
        inputs: ["\#(input)"]
        outputs: ["\#(output)"]
        description: "\#(description)"
        args: ["/usr/bin/clang","-c","\#(input)"]

    """#
  }

  private static func compiling(_ source: String) -> String {
    task("clang", "/p/Sources/C/\(source)", "/p/.build/debug/C.build/\(source).o", "Compiling C \(source)")
  }

  /// Builds, and returns what is remembered then: the file or the message of each warning.
  private mutating func build(_ output: String = "", errors: String = "", serialized: [Diagnostic] = []) -> [String] {
    var log = BuildLog { $0.hasPrefix("/p/") ? String($0.dropFirst(3)) : nil }
    log.append(errors.utf8, from: .standardError)
    log.append(output.utf8)
    _ = log.finish()
    let plan = plan.isEmpty ? nil : BuildPlan(Array(plan.joined(separator: "\n").utf8), at: "/p/.build/debug.yaml")
    remembered.update(printed: log.warnings, serialized: serialized, plan: plan) { [versions] in versions[$0] }
    return remembered.warnings.map { $0.location?.file ?? $0.message }.sorted()
  }

  private static let warned = """
    /p/Sources/C/c.c:2:26: warning: implicit conversion [-Wconstant-conversion]
        2 | int c(int x) { char c = 300; return x; }
          |                     ~   ^~~
    1 warning generated.
    [1/9] Compiling C c.c

    """

  @Test("What a C compiler printed holds until it compiles the source again")
  mutating func compiled() {
    #expect(build(Self.warned) == ["Sources/C/c.c"])
    #expect(build("[0/1] Planning build\n") == ["Sources/C/c.c"])
    #expect(build(Self.warned) == ["Sources/C/c.c"])
    versions["/p/.build/debug/C.build/c.c.o"] = "2"
    #expect(build(Self.warned) == ["Sources/C/c.c"])
    versions["/p/.build/debug/C.build/c.c.o"] = "3"
    #expect(build("[1/9] Compiling C c.c\n") == [])
  }

  @Test("A compilation that was interrupted changes nothing")
  mutating func interrupted() {
    _ = build(Self.warned)
    #expect(
      build("/p/Sources/C/sub/d.c:1:1: error: no\n[2/6] Compiling d.c\n[2/6] Compiling C c.c\n") == ["Sources/C/c.c"])
  }

  @Test(
    "A warning ends with its file, its task and its target",
    arguments: ["Sources/C/c.c", "/p/.build/debug/C.build/c.c.o"])
  mutating func gone(path: String) {
    _ = build(Self.warned)
    let (all, tasks) = (self, plan)
    versions[path] = nil
    #expect(build() == [])
    self = all
    versions[path] = "2"
    #expect(build() == [])
    self = all
    plan = Array(tasks.dropFirst())
    #expect(build() == [])
    self = all
    plan = []
    #expect(build() == [])
  }

  @Test("Sources of one name are told apart, although the progress names them alike, and only once")
  mutating func namesakes() {
    let output = """
      /p/Sources/C/more/d.c:1:1: warning: one
      [1/9] Compiling d.c
      In file included from /p/Sources/C/sub/d.c:1:
      /p/Sources/C/include/c.h:3:2: warning: two [-W#warnings]
      /p/Sources/C/include/c.h:4:2: warning: three [-W#warnings]
      /p/Sources/C/sub/d.c:2:2: warning: four
      /p/Sources/C/c.c:1:1: warning: five
      [3/9] Compiling C c.c

      """
    #expect(build(output).count == 5)
    versions["/p/.build/debug/C.build/c.c.o"] = "2"
    #expect(build().count == 4)
    versions["/p/.build/debug/C.build/sub/d.c.o"] = "2"
    #expect(build() == ["Sources/C/more/d.c"])
  }

  @Test("A header's warning holds as long as a source that includes it is not compiled again")
  mutating func included() {
    let header = "/p/Sources/C/include/c.h:3:2: warning: two [-W#warnings]\n"
    let inclusions = ["c.c", "sub/d.c"].map {
      "In file included from /p/Sources/C/\($0):1:\n\(header)[1/9] Compiling it\n"
    }
    #expect(build(inclusions.joined()).count == 2)
    versions["/p/.build/debug/C.build/c.c.o"] = "2"
    #expect(build() == ["Sources/C/include/c.h"])
    versions["Sources/C/include/c.h"] = "2"
    #expect(build() == [])
  }

  @Test("A header's warning that compiling Swift left holds as long as the header is the same")
  mutating func imported() {
    let place = { SourceLocation(file: $0, line: 3, column: 2) }
    let header = Diagnostic(severity: .warning, message: "header", location: place("Sources/C/include/c.h"))
    let source = Diagnostic(severity: .warning, message: "unused", location: place("Sources/S/S.swift"))
    #expect(build(serialized: [header, source]) == ["Sources/C/include/c.h"])
    #expect(build() == ["Sources/C/include/c.h"])
    let all = self
    versions["Sources/C/include/c.h"] = "2"
    #expect(build() == [])
    self = all
    plan.removeLast()
    #expect(build() == [])
  }

  @Test("What a command printed holds until it makes its file again")
  mutating func commands() {
    #expect(build("warning: grumble\n[14/32] Generating G\n") == ["grumble"])
    #expect(build() == ["grumble"])
    versions["/p/.build/out/G.swift"] = "2"
    #expect(build() == [])
  }

  @Test("What SwiftPM says of a package holds until it plans again, and of a manifest as long as that is the same")
  mutating func planned() {
    let errors = """
      warning: 'p': /p/Package.swift:3:9: warning: deprecated
      warning: 'p': found 1 file(s) which are unhandled

      """
    #expect(
      build("[1/2] Compiling C c.c\n", errors: errors) == ["'p': found 1 file(s) which are unhandled", "Package.swift"])
    versions["/p/.build/debug/C.build/c.c.o"] = "2"
    #expect(build().count == 2)
    versions["/p/.build/debug.yaml"] = "2"
    #expect(build() == ["Package.swift"])
    versions["Package.swift"] = "2"
    #expect(build() == [])
  }

  @Test("What SwiftPM said when it resolved the dependencies holds as long as the manifest is the same")
  mutating func resolved() {
    let warning = Diagnostic(severity: .warning, message: "'p': hello")
    remembered.update(printed: [(warning, .resolution)], plan: nil) { [versions] in versions[$0] }
    versions["/p/.build/debug.yaml"] = "2"
    #expect(build() == ["'p': hello"])
    versions["Package.swift"] = "2"
    #expect(build() == [])
  }

  @Test("Errors are not remembered, and what nobody knows the printer of only until the next build")
  mutating func unknown() {
    let output = "/p/Sources/C/c.c:1:1: error: no\n/p/Sources/S/S.swift:1:1: warning: unused\nwarning: odd\n"
    #expect(build(output) == ["Sources/S/S.swift", "odd"])
    #expect(build() == [])
  }
}
