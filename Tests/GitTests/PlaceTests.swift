import Git
import Model
import TestGround
import Testing

@Suite("Where paths lead")
struct PlaceTests {
  private let scratch: Scratch
  private let repository: TestRepository

  init() throws {
    scratch = try Scratch("Places\(UInt32.random(in: 0 ... .max))")
    repository = try scratch.repository()
  }

  @Test("Links to files and to folders are followed, in commits and in the files of a workspace")
  func links() throws {
    let inner = try scratch.repository("Inner")
    try inner.commit("Inner", ["I.swift": "i\n"])
    try repository.commit("One", ["Shared/S.swift": "s\n", "Shared/Deep/D.swift": "d\n", "Sources/Lib/A.swift": "a\n"])
    try repository.git("submodule", "--quiet", "add", inner.path, "Inner")
    let links = [
      ("S.swift", "../../Shared/S.swift"), ("Shared", "../../Shared"), ("Again", "./Shared/../Shared/Deep"),
      ("Gone.swift", "../Nothing.swift"), ("Out.swift", "../../../Out.swift"), ("Root.swift", "/etc/passwd"),
      ("Round", "Round2"), ("Round2", "Round"), ("Inner", "../../Inner"),
      ("Chain", "Shared/Deep"), ("Lost", "Shared/Nowhere"),
    ]
    for (name, target) in links { try repository.link("Sources/Lib/\(name)", to: target) }
    let commit = try repository.commit("Two")
    let expected: [String: TreePlace] = [
      "Sources/Lib/A.swift": .file("Sources/Lib/A.swift"), "Sources/Lib/S.swift": .file("Shared/S.swift"),
      "Sources/Lib/Shared/S.swift": .file("Shared/S.swift"),
      "Sources/Lib/Again/D.swift": .file("Shared/Deep/D.swift"), "Sources/Lib/Gone.swift": .astray,
      "Sources/Lib/Out.swift": .astray, "Sources/Lib/Root.swift": .astray, "Sources/Lib/Round/A.swift": .astray,
      "Sources/Lib/Inner/I.swift": .file("Inner/I.swift"), "Sources/Lib/Nothing.swift": .nothing,
      "Sources/Lib/A.swift/B.swift": .nothing, "Sources/Lib/Shared/No.swift": .nothing,
      "Sources/Lib/Again/No/D.swift": .nothing, "Sources/Lib/S.swift/B.swift": .nothing,
      "Sources/Lib/Again": .astray, "Sources/Lib/Shared/Deep": .nothing,
      "Sources/Lib/Chain/D.swift": .file("Shared/Deep/D.swift"),
      "Sources/Lib/Chain/No.swift": .nothing, "Sources/Lib/Lost/D.swift": .astray,
      "Inner/I.swift": .file("Inner/I.swift"),
    ]
    let opened = try Repository(at: repository.path)
    #expect(try opened.places(of: Set(expected.keys), in: commit) == expected)
    let workspace = scratch.workspace()
    _ = try opened.checkOutWorkingTree(into: workspace)
    #expect(try Repository.places(of: Set(expected.keys), inFilesOf: workspace) == expected)
  }

  // What must not happen is that the folder is read anew for each of them.
  @Test("Thousands of files in one folder take no longer than as many files")
  func manyFiles() throws {
    let growth = try Growth.atFourTimes(1_000) { count in
      let paths = Set((0..<count).map { "Made\(count)/F\($0).swift" })
      return (paths, try repository.commit("One", Dictionary(uniqueKeysWithValues: paths.map { ($0, "") })))
    } _: { paths, commit in
      let places = try Repository(at: repository.path).places(of: paths, in: commit)
      #expect(places.count == paths.count && places.allSatisfy { $1 == .file($0) })
    }
    #expect(growth < Growth.inProportion)
  }
}
