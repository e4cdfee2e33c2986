import Model
import Testing

@testable import Comparing

@Suite("Tests whose names hold their places")
struct TestPlacesTests {
  /// A test in a source; its name holds its place where another test has the same name.
  private struct Declared {
    var name: String
    var file: String
    var line: Int
    var body: String

    init(_ file: String, _ line: Int, _ body: String, name: String? = nil) {
      self.name = name ?? "P.same()/\(file):\(line):2"
      (self.file, self.line, self.body) = ("Tests/PTests/\(file)", line, body)
    }
  }

  private static func edited(_ file: String, _ hunks: [LineMap.Hunk], from oldFile: String? = nil) -> FileDifference {
    FileDifference(
      status: oldFile == nil ? .modified : .renamed, oldPath: "Tests/PTests/\(oldFile ?? file)",
      newPath: "Tests/PTests/\(file)", lines: LineMap(hunks: hunks))
  }

  private static let lineAbove = LineMap.Hunk(old: 1..<1, new: 1..<2)

  private func changes(
    _ before: [Declared], _ now: [Declared], _ files: [FileDifference] = [], arePlacesKnown: Bool = true
  ) -> TestListChanges {
    let change = SourceDifference(files)
    func id(_ test: Declared) -> TestID { TestID(test.name) ?? TestID(module: "", suite: "", name: test.name) }
    func places(_ tests: [Declared]) -> [TestID: Model.SourceLocation] {
      tests.keyed(by: id) { Model.SourceLocation(file: $0.file, line: $0.line) }
    }
    let bodies = TestListChanges.Bodies(
      before: before.filter { change.file(from: $0.file) != nil }.keyed(by: id, \.body),
      now: now.filter { change.file(at: $0.file) != nil }.keyed(by: id, \.body))
    return TestListChanges(
      from: Set(before.map(id)), to: Set(now.map(id)), filteredOut: [], bodies: bodies,
      places: arePlacesKnown ? TestPlaces(before: places(before), now: places(now), change: change) : nil)
  }

  private func told(_ changes: TestListChanges) -> [String] {
    changes.renamed.map { "\($0.from.name) > \($0.to.name)" } + changes.added.map { "+\($0.name)" }
      + changes.deleted.map { "-\($0.name)" }
  }

  @Test("A name that the test above has by now is not that of the test that had it, whose line went down")
  func pushedDown() {
    let edit = Self.edited("B.swift", [Self.lineAbove, .init(old: 3..<4, new: 4..<5)])
    let found = changes(
      [Declared("B.swift", 3, "x"), Declared("B.swift", 4, "y")],
      [Declared("B.swift", 4, "z"), Declared("B.swift", 5, "y")], [edit])
    #expect(
      told(found) == ["same()/B.swift:3:2 > same()/B.swift:4:2", "same()/B.swift:4:2 > same()/B.swift:5:2"])
  }

  @Test("Tests of one name and one body in several files are told apart by their files")
  func equalBodies() {
    let edits = ["A.swift", "B.swift"].map { Self.edited($0, [Self.lineAbove]) }
    let found = changes(
      [Declared("A.swift", 4, "x"), Declared("B.swift", 4, "x")],
      [Declared("A.swift", 5, "x"), Declared("B.swift", 5, "x")], edits)
    #expect(
      told(found) == ["same()/A.swift:4:2 > same()/A.swift:5:2", "same()/B.swift:4:2 > same()/B.swift:5:2"])
  }

  @Test("A place comes into a name with another test of that name, or goes with it, in sources that did not change")
  func comesAndGoes() {
    let added = FileDifference(status: .added, oldPath: nil, newPath: "Tests/PTests/C.swift", lines: .allNew)
    let deleted = FileDifference(status: .deleted, oldPath: "Tests/PTests/C.swift", newPath: nil, lines: nil)
    let plain = Declared("B.swift", 3, "x", name: "P.same()")
    let both = [Declared("B.swift", 3, "x"), Declared("C.swift", 3, "y")]
    #expect(told(changes([plain], both, [added])) == ["same() > same()/B.swift:3:2", "+same()/C.swift:3:2"])
    #expect(told(changes(both, [plain], [deleted])) == ["same()/B.swift:3:2 > same()", "-same()/C.swift:3:2"])
  }

  @Test("A test whose name another one has by now is deleted")
  func deleted() {
    let edit = Self.edited("B.swift", [.init(old: 3..<4, new: 3..<3)])
    let found = changes(
      [Declared("B.swift", 3, "x"), Declared("B.swift", 4, "y"), Declared("B.swift", 5, "z")],
      [Declared("B.swift", 3, "y"), Declared("B.swift", 4, "z")], [edit])
    #expect(
      told(found) == [
        "same()/B.swift:4:2 > same()/B.swift:3:2", "same()/B.swift:5:2 > same()/B.swift:4:2", "-same()/B.swift:3:2",
      ])
  }

  @Test("A test above of which the diff took the attribute is another one")
  func attribute() {
    // The new test's attribute, in line 3, stands where that of the old one stood.
    let edit = Self.edited("B.swift", [.init(old: 4..<4, new: 4..<6)])
    let found = changes(
      [Declared("B.swift", 3, "x"), Declared("B.swift", 8, "z")],
      [Declared("B.swift", 3, "y"), Declared("B.swift", 5, "x"), Declared("B.swift", 10, "z")], [edit])
    #expect(
      told(found) == [
        "same()/B.swift:8:2 > same()/B.swift:10:2", "same()/B.swift:3:2 > same()/B.swift:5:2", "+same()/B.swift:3:2",
      ])
  }

  @Test("A test whose body changed is the one in its line, in a file with another name, too")
  func movedFile() {
    let edit = Self.edited("C.swift", [.init(old: 4..<5, new: 4..<5), .init(old: 7..<8, new: 7..<9)], from: "B.swift")
    let found = changes(
      [Declared("B.swift", 3, "x"), Declared("B.swift", 6, "y")],
      [Declared("C.swift", 3, "z"), Declared("C.swift", 6, "w")], [edit])
    #expect(
      told(found) == ["same()/B.swift:3:2 > same()/C.swift:3:2", "same()/B.swift:6:2 > same()/C.swift:6:2"])
  }

  @Test("Where nothing is known of the places, a test is the one of its name")
  func unknown() {
    let tests = [Declared("A.swift", 4, "x"), Declared("B.swift", 4, "x")]
    #expect(changes(tests, tests, arePlacesKnown: false).isEmpty)
    var edit = Self.edited("A.swift", [])
    edit.lines = nil
    #expect(changes(tests, tests, [edit]).isEmpty)
  }
}
