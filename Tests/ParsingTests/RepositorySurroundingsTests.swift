import Model
import Parsing
import Testing

@Suite("Sources of other packages of the repository")
struct RepositorySurroundingsTests {
  private func selection(_ package: String, in packages: Set<String>) -> SourceSelection {
    let model = PackageModel(
      name: "P",
      targets: [PackageModel.Target(name: "Root", type: "library", path: "Sources/Root", sources: ["R.swift"])])
    let folder = package == "." ? "/ws" : "/ws/\(package)"
    var selection = SourceSelection(model, roots: [folder])
    selection.surroundings = RepositorySurroundings(package: package, roots: ["/ws", "/link/"], packages: packages)
    return selection
  }

  @Test(
    "Beside a package in the repository's folder they belong to the innermost folder with a manifest",
    arguments: [
      ("/ws/Sources/Root/R.swift", .counted(path: "Sources/Root/R.swift", target: "Root")),
      ("Packages/Core/Sources/C.swift", .sibling(package: "Packages/Core", path: "Packages/Core/Sources/C.swift")),
      ("/ws/./Packages//Core/In/I.swift", .sibling(package: "Packages/Core/In", path: "Packages/Core/In/I.swift")),
      ("/ws/Packages/Core2/C.swift", .unlisted(path: "Packages/Core2/C.swift")),
      ("/ws/Old.swift", .unlisted(path: "Old.swift")),
      ("/ws/.build/checkouts/Dep/D.swift", .dependency(package: "Dep", path: ".build/checkouts/Dep/D.swift")),
      ("/elsewhere/X.swift", .dependency(package: nil, path: "/elsewhere/X.swift")),
    ] as [(String, SourceSelection.Role)])
  func inRoot(name: String, role: SourceSelection.Role) {
    #expect(selection(".", in: ["Packages/Core", "Packages/Core/In"]).role(of: name) == role)
  }

  @Test(
    "Beside a package in a folder they have paths that lead out of it, and never absolute ones",
    arguments: [
      ("/ws/App/Sources/Root/R.swift", .counted(path: "Sources/Root/R.swift", target: "Root")),
      ("/ws/Core/Sources/C.swift", .sibling(package: "Core", path: "../Core/Sources/C.swift")),
      ("/link/Core/Sources/C.swift", .sibling(package: "Core", path: "../Core/Sources/C.swift")),
      ("/ws/Sources/R.swift", .sibling(package: ".", path: "../Sources/R.swift")),
      ("/ws/App/Old.swift", .unlisted(path: "Old.swift")),
      ("/wsx/Core/C.swift", .dependency(package: nil, path: "/wsx/Core/C.swift")),
    ] as [(String, SourceSelection.Role)])
  func inFolder(name: String, role: SourceSelection.Role) {
    #expect(selection("App", in: [".", "Core"]).role(of: name) == role)
  }

  @Test("A file outside of the package that is in no other package is of none of the targets")
  func shared() {
    #expect(selection("App", in: []).role(of: "/ws/Shared/s.h") == .unlisted(path: "../Shared/s.h"))
  }

  @Test("A package in a submodule is none of the repository's, and neither is it a part of the one around it")
  func submodule() {
    var selection = selection("App", in: [])
    selection.surroundings = RepositorySurroundings(
      package: "App", roots: ["/ws"], packages: [".", "App"], foreign: ["Vendor/V"])
    #expect(selection.role(of: "/ws/Vendor/V/Sources/V.swift") == .unlisted(path: "../Vendor/V/Sources/V.swift"))
    #expect(selection.role(of: "/ws/Vendor/W.swift") == .sibling(package: ".", path: "../Vendor/W.swift"))
  }

  @Test("The folders in which its manifest may be are those above a file, the innermost first")
  func folders() {
    #expect(RepositorySurroundings.folders(above: "/ws/a/b/C.swift", roots: ["/ws"]) == ["a/b", "a", "."])
    #expect(RepositorySurroundings.folders(above: "/usr/C.swift", roots: ["/ws"]) == [])
  }

  @Test("All of them are viewed, also those of which nothing ran; what is not is kept for what changes in it")
  func found() throws {
    func entry(_ name: String, covered: Int) -> String {
      #"{"filename":"\#(name)","segments":[[1,1,\#(covered),true,true,false],[1,9,0,false,false,false]],"#
        + #""summary":{"lines":{"count":1,"covered":\#(covered)}}}"#
    }
    let files = [("Core/B.swift", 0), ("Core/C.swift", 1), ("Core/A.swift", 0), ("Old.swift", 0)].map {
      entry("/ws/\($0.0)", covered: $0.1)
    }.joined(separator: ",")
    let text = #"{"data":[{"files":[\#(files)]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#
    let export = try CoverageExport.read(Array(text.utf8))
    let found = UncountedSources(export, selection(".", in: ["Core"]), most: [.sibling: 2])
    #expect(found.sources.map(\.coverage.path) == ["Core/A.swift", "Core/B.swift"])
    #expect(found.sources.map(\.group) == ["Core", "Core"])
    #expect(found.unshown.map(\.coverage.path) == ["Core/C.swift", "Old.swift"])
    #expect(found.ofRepository.count == 4)
    #expect(
      found.left == [
        .sibling: UncountedSources.Left(tooMany: 1), .unlisted: UncountedSources.Left(neverRan: 1),
      ])
  }
}
