import FoundationEssentials
import Model
import Testing

@testable import Comparing

@Suite("Suspects by the types that a test names")
struct NamedSourcesTests {
  private static let model = PackageModel(
    name: "Shop",
    targets: [
      PackageModel.Target(name: "Shop", type: "library", path: "Sources/Shop", sources: ["Cart.swift", "Till.swift"])
    ])

  private func change(_ author: String, _ files: String...) -> SuspectFinder.Change {
    SuspectFinder.Change(
      commit: Commit(
        id: CommitID(rawValue: author), summary: "", author: author, email: "", date: Date(timeIntervalSince1970: 0)),
      files: Set(files.map { "Sources/Shop/\($0).swift" }))
  }

  private func suspects(
    _ changes: [SuspectFinder.Change], naming names: Set<String>, ran: SuspectFinder.RanLines = .anyTest([])
  ) -> [String] {
    let failure = Issue(
      id: "t", kind: .testFailure, message: "no",
      location: SourceLocation(file: "Tests/ShopTests/TillTests.swift", line: 9),
      test: TestID(module: "ShopTests", suite: "TillTests", name: "testSum"))
    let finder = SuspectFinder(changes: changes, toolchainChanged: false, model: Self.model)
    return finder.suspects(for: failure, lines: [], ran: ran) { names }.map {
      "\($0.commit.author) \($0.confidence.rawValue) \($0.clue.file ?? "")"
    }
  }

  @Test("Who alone changed a file whose type the test names is suspected, where nothing is known of what it ran")
  func named() {
    let (ada, bob) = (change("Ada", "Cart"), change("Bob", "Till"))
    #expect(suspects([ada, bob], naming: ["Till", "sum"]) == ["Bob medium Sources/Shop/Till.swift"])
    #expect(suspects([ada, change("Bob", "Cart", "Till")], naming: ["Till"]) == ["Bob medium Sources/Shop/Till.swift"])
    #expect(suspects([ada, bob], naming: ["Till", "Cart"]).isEmpty, "It may have been either of them.")
    #expect(suspects([ada, bob, change("Eve", "Till")], naming: ["Till"]).isEmpty)
    #expect(suspects([ada, bob], naming: []).isEmpty)
    #expect(suspects([ada, bob], naming: ["Till"], ran: .ownTest([])).isEmpty, "It ran none of what changed.")
  }
}
