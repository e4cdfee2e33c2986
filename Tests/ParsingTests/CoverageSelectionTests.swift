import Model
import Parsing
import Testing

@Suite("Which files count")
struct CoverageSelectionTests {
  private let package = PackageModel(
    name: "P",
    targets: [
      PackageModel.Target(name: "Core", type: "library", path: "Sources/Core", sources: ["A.swift", "sub/B.swift"]),
      PackageModel.Target(name: "TestSupport", type: "library", path: "Tests/Support", sources: ["S.swift"]),
      PackageModel.Target(name: "CoreTests", type: "test", path: "Tests/CoreTests", sources: ["T.swift"]),
      PackageModel.Target(name: "Flat", type: "executable", path: ".", sources: ["main.swift"]),
      PackageModel.Target(name: "Maker", type: "macro", path: "Sources/Maker", sources: ["M.swift"]),
      PackageModel.Target(name: "Tested", type: "macro", path: "Sources/Tested", sources: ["T.swift"], isInTests: true),
    ])

  @Test(
    "The role of a file comes from the package model, not from the names of folders",
    arguments: [
      ("/src/p/Sources/Core/A.swift", .counted(path: "Sources/Core/A.swift", target: "Core")),
      ("/link/p/Sources/Core/sub/B.swift", .counted(path: "Sources/Core/sub/B.swift", target: "Core")),
      ("/src/p/./Sources//Core/A.swift", .counted(path: "Sources/Core/A.swift", target: "Core")),
      ("./Sources/Core/A.swift", .counted(path: "Sources/Core/A.swift", target: "Core")),
      ("Sources/Core/A.swift", .counted(path: "Sources/Core/A.swift", target: "Core")),
      ("/src/p/main.swift", .counted(path: "main.swift", target: "Flat")),
      ("/src/p/Tests/Support/S.swift", .counted(path: "Tests/Support/S.swift", target: "TestSupport")),
      ("/src/p/Tests/CoreTests/T.swift", .test(path: "Tests/CoreTests/T.swift", target: "CoreTests")),
      ("/src/p/Sources/Maker/M.swift", .macro),
      ("/src/p/Sources/Tested/T.swift", .counted(path: "Sources/Tested/T.swift", target: "Tested")),
      ("/src/p/Sources/Core/Old.swift", .unlisted(path: "Sources/Core/Old.swift")),
      (
        "/src/p/.build/checkouts/Dep/Sources/Dep/D.swift",
        .dependency(package: "Dep", path: ".build/checkouts/Dep/Sources/Dep/D.swift")
      ),
      (
        "/src/p/.build/debug/PPackageTests.derived/runner.swift",
        .generated(path: ".build/debug/PPackageTests.derived/runner.swift")
      ),
      ("/scratch/./checkouts/Dep//D.swift", .dependency(package: "Dep", path: ".build/checkouts/Dep/D.swift")),
      ("/scratch/checkouts/D.swift", .generated(path: ".build/checkouts/D.swift")),
      ("/scratch/plugins/outputs/G.swift", .generated(path: ".build/plugins/outputs/G.swift")),
      ("/src/pp/Sources/Core/A.swift", .dependency(package: nil, path: "/src/pp/Sources/Core/A.swift")),
      ("/elsewhere/X.swift", .dependency(package: nil, path: "/elsewhere/X.swift")),
      ("", .unlisted(path: "")),
    ] as [(String, SourceSelection.Role)])
  func roles(name: String, role: SourceSelection.Role) {
    let selection = SourceSelection(package, roots: ["/src/p", "/link/p/"], scratchFolders: ["/scratch"])
    #expect(selection.role(of: name) == role)
  }

  @Test(
    "A header belongs to the target in whose folders it lies, the innermost one",
    arguments: [
      ("Sources/Ring/include/ring.h", .counted(path: "Sources/Ring/include/ring.h", target: "Ring")),
      ("/src/p/Sources/Ring/private.d/steps.hpp", .counted(path: "Sources/Ring/private.d/steps.hpp", target: "Ring")),
      ("Sources/Ring/part.inc", .counted(path: "Sources/Ring/part.inc", target: "Ring")),
      ("Sources/Ring/Inner/inner.h", .counted(path: "Sources/Ring/Inner/inner.h", target: "Inner")),
      ("Sources/Both/b/deep/b.h", .counted(path: "Sources/Both/b/deep/b.h", target: "B")),
      ("Sources/Both/a/a.h", .counted(path: "Sources/Both/a/a.h", target: "A")),
      ("Sources/Both/common.h", .counted(path: "Sources/Both/common.h", target: "A")),
      ("Sources/CSystem/shim.h", .counted(path: "Sources/CSystem/shim.h", target: "CSystem")),
      ("Tests/RingTests/double.h", .test(path: "Tests/RingTests/double.h", target: "RingTests")),
      ("Sources/Ringside/x.h", .unlisted(path: "Sources/Ringside/x.h")),
      ("Sources/Ring/old.c", .unlisted(path: "Sources/Ring/old.c")),
      ("Sources/Ring/h", .unlisted(path: "Sources/Ring/h")),
      ("Snippets/s.h", .unlisted(path: "Snippets/s.h")), ("root.h", .unlisted(path: "root.h")),
      (
        "/src/p/.build/checkouts/Dep/include/d.h",
        .dependency(package: "Dep", path: ".build/checkouts/Dep/include/d.h")
      ), ("/usr/include/c++/12/vector.h", .dependency(package: nil, path: "/usr/include/c++/12/vector.h")),
    ] as [(String, SourceSelection.Role)])
  func headers(name: String, role: SourceSelection.Role) {
    let targets = [
      ("RingTests", "test", "Tests/RingTests", ["T.swift"]), ("Ring", "library", "./Sources/Ring/", ["ring.c"]),
      ("Inner", "library", "Sources/Ring/Inner", ["inner.c"]), ("CSystem", "system-target", "Sources/CSystem", []),
      ("A", "library", "Sources/Both", ["a/a.c"]), ("B", "library", "Sources/Both", ["b/b.c"]),
      ("s", "snippet", "Snippets", ["s.swift"]),
    ].map { PackageModel.Target(name: $0, type: $1, path: $2, sources: $3) }
    let selection = SourceSelection(PackageModel(name: "P", targets: targets), roots: ["/src/p"])
    #expect(selection.role(of: name) == role)
  }

  @Test("Headers of a package count in their targets, those of which nothing ran too")
  func headersOfPackage() throws {
    let files = try CoverageFixture.files("Headers")
    #expect(
      files.map { "\($0.target) \($0.path)" } == [
        "Pool Sources/Pool/pool.cpp", "Pool Sources/Pool/pool.hpp", "Pool Sources/Pool/pool.ipp",
        "Pool Sources/Pool/second.cpp", "Ring Sources/Ring/first.c", "Ring Sources/Ring/include/ring.h",
        "Ring Sources/Ring/part.inc", "Ring Sources/Ring/private/steps.h", "Ring Sources/Ring/second.c",
        "Ring Sources/Ring/third.c",
      ])
    let uncalled = try CoverageFixture.file("ring.h", in: files)
    #expect(uncalled.totals.lines == LineTally(total: 3, covered: 0, partial: 0))
  }

  @Test("Without a root nothing but relative names can count")
  func noRoots() {
    let selection = SourceSelection(package, roots: [])
    #expect(selection.role(of: "/src/p/main.swift") == .dependency(package: nil, path: "/src/p/main.swift"))
  }

  @Test("Counted files come sorted by path; the others can be viewed")
  func others() throws {
    let export = try CoverageFixture.export("Oddities")
    let selection = try CoverageFixture.selection("Oddities")
    #expect(
      export.countedFiles(selection).map(\.path) == [
        "Sources/Inlined/Inlined.swift", "Sources/Oddities/Columns.swift", "Sources/Oddities/Members.swift",
      ])
    let others = UncountedSources(export, selection)
    #expect(others.sources.map(\.kind) == [.test])
    #expect(others.sources.map(\.group) == ["OdditiesTests"])
    #expect(others.left.isEmpty)
    let tests = try #require(others.sources.first?.coverage)
    #expect(tests.path == "Tests/OdditiesTests/OdditiesTests.swift")
    #expect(tests.totals.lines.covered > 0)
    #expect(tests.functions.isEmpty)
  }

  @Test("Of other packages' and the build's sources those are viewed that ran, up to a number, and the rest is told")
  func limits() throws {
    func entry(_ name: String, covered: Int) -> String {
      #"{"filename":"\#(name)","segments":[[1,1,\#(covered),true,true,false],[1,9,0,false,false,false]],"#
        + #""summary":{"lines":{"count":1,"covered":\#(covered)}}}"#
    }
    let names = [
      ("/src/p/Tests/CoreTests/T.swift", 0), ("/src/p/Snippets/Old.swift", 1), ("/src/p/.build/x.derived/r.swift", 1),
      ("/src/p/.build/checkouts/Dep/B.swift", 1), ("/src/p/.build/checkouts/Dep/A.swift", 1),
      ("/src/p/.build/checkouts/Dep/C.swift", 0), ("/elsewhere/X.swift", 1), ("/src/p/main.swift", 1),
    ]
    let files = names.map { entry($0.0, covered: $0.1) }.joined(separator: ",")
    let text = #"{"data":[{"files":[\#(files)]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#
    let found = UncountedSources(
      try CoverageExport.read(Array(text.utf8)), SourceSelection(package, roots: ["/src/p"]), most: [.dependency: 2])
    #expect(
      found.sources.map(\.coverage.path) == [
        "Tests/CoreTests/T.swift", ".build/checkouts/Dep/A.swift", ".build/checkouts/Dep/B.swift",
        ".build/x.derived/r.swift", "Snippets/Old.swift",
      ])
    #expect(found.sources.map(\.kind) == [.test, .dependency, .dependency, .generated, .unlisted])
    #expect(found.left == [.dependency: UncountedSources.Left(neverRan: 1, tooMany: 1)])
  }

  @Test("A file that is in the export by two roots is taken once")
  func twoSpellings() throws {
    let file = #"{"filename":"NAME","segments":[[1,1,COUNT,true,true,false],[1,9,0,false,false,false]]}"#
    func entry(_ name: String, _ count: String) -> String {
      file.replacing("NAME", with: name).replacing("COUNT", with: count)
    }
    let files = [entry("/src/p/main.swift", "3"), entry("/link/p/main.swift", "0")].joined(separator: ",")
    let text = #"{"data":[{"files":[\#(files)]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#
    let export = try CoverageExport.read(Array(text.utf8))
    let counted = export.countedFiles(SourceSelection(package, roots: ["/src/p", "/link/p"]))
    #expect(counted.map(\.lines) == [[LineCoverage(line: 1, count: 3, state: .ran)]])
  }
}
