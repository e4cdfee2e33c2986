import FoundationEssentials
@testable import Model
import Rendering
import Testing

@testable import Comparing

@Suite("A suspect who changed the test itself")
struct SuspectedTestLineTests {
  private let place = Model.SourceLocation(file: "Tests/ShopTests/TillTests.swift", line: 8)
  private let source = Model.SourceLocation(file: "Sources/Shop/Till.swift", line: 30)

  /// Returns why the only commit, is suspected.
  private func reasons(own: [Model.SourceLocation], ran: [Model.SourceLocation] = []) -> [String] {
    let commit = Commit(
      id: CommitID(rawValue: "ca41000"), summary: "", author: "Carl", email: "carl@example.org",
      date: Date(timeIntervalSince1970: 0))
    let failure = Issue(
      id: "t", kind: .testFailure, message: "no",
      location: Model.SourceLocation(file: place.file, line: 9),
      test: TestID(module: "ShopTests", suite: "TillTests", name: "testSum"))
    func blamed(_ places: [Model.SourceLocation]) -> [SuspectFinder.BlamedLine] {
      places.map { SuspectFinder.BlamedLine(place: $0, commit: commit.id) }
    }
    return SuspectFinder(
      changes: [.init(commit: commit, files: [place.file])], toolchainChanged: false, model: nil
    ).suspects(for: failure, lines: [], ran: .anyTest(blamed(ran)), own: blamed(own)).map { Suspect($0).reason }
  }

  @Test("The changed line of the test is named, unless something that ran changed, too")
  func lines() {
    #expect(reasons(own: []) == ["ca41000, the only commit, changed Tests/ShopTests/TillTests.swift."])
    #expect(reasons(own: [place]) == ["ca41000, the only commit, changed TillTests.swift:8."])
    #expect(
      reasons(own: [place], ran: [source]) == ["ca41000, the only commit, changed Till.swift:30, which ran."])
  }

  @Test("Of several changed functions that ran, all are named unless the test names one")
  func severalFunctions() {
    let places = [30, 50, 70].map { Model.SourceLocation(file: source.file, line: $0) }
    #expect(
      reasons(own: [], ran: Array(places.prefix(2)))
        == ["ca41000, the only commit, changed Till.swift:30 and 50, which ran."])
    #expect(
      reasons(own: [], ran: places)
        == ["ca41000, the only commit, changed Till.swift:30 and 2 more places, which ran."])
    let lines = zip(places, ["Till.greet(name:)", "Till.add(_:_:)", "Till.total"]).map {
      SuspectFinder.BlamedLine(place: $0, commit: CommitID(rawValue: "ca41000"), function: $1)
    }
    #expect(SuspectFinder.lines(lines, namedBy: ["Till", "add"]) == [lines[1]])
    #expect(SuspectFinder.lines(lines, namedBy: ["total", "add"]) == Array(lines.dropFirst()))
    #expect(SuspectFinder.lines(lines, namedBy: ["Till"]) == lines)
  }
}
