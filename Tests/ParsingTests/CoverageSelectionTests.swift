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
      ("/src/p/Sources/Core/Old.swift", .unlisted(path: "Sources/Core/Old.swift")),
      ("/src/p/.build/checkouts/Dep/Sources/Dep/D.swift", .dependency),
      ("/src/p/.build/debug/PPackageTests.derived/runner.swift", .generated),
      ("/scratch/checkouts/Dep/D.swift", .dependency), ("/scratch/plugins/outputs/G.swift", .generated),
      ("/src/pp/Sources/Core/A.swift", .dependency), ("/elsewhere/X.swift", .dependency),
      ("", .unlisted(path: "")),
    ] as [(String, SourceSelection.Role)])
  func roles(name: String, role: SourceSelection.Role) {
    let selection = SourceSelection(package, roots: ["/src/p", "/link/p/"], scratchFolders: ["/scratch"])
    #expect(selection.role(of: name) == role)
  }

  @Test("Without a root nothing but relative names can count")
  func noRoots() {
    let selection = SourceSelection(package, roots: [])
    #expect(selection.role(of: "/src/p/main.swift") == .dependency)
  }

  @Test("Counted files come sorted by path; the others can be viewed")
  func others() throws {
    let export = try CoverageFixture.export("Oddities")
    let selection = try CoverageFixture.selection("Oddities")
    #expect(
      export.countedFiles(selection).map(\.path) == [
        "Sources/Inlined/Inlined.swift", "Sources/Oddities/Columns.swift", "Sources/Oddities/Members.swift",
      ])
    let others = export.otherFiles(selection)
    #expect(
      others.map(\.role) == [.test(path: "Tests/OdditiesTests/OdditiesTests.swift", target: "OdditiesTests")])
    let tests = try #require(export.coverage(of: others[0]))
    #expect(tests.path == "Tests/OdditiesTests/OdditiesTests.swift")
    #expect(tests.totals.lines.covered > 0)
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
