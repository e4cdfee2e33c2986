import Model
import Rendering
import Testing

@testable import Comparing

@Suite("The names of the tests of two integrations")
struct ComparedNamesTests {
  @Test("A red test that its issue follows under another name is neither new nor deleted")
  func renamedRed() {
    func red(_ name: String, _ number: Int, id: String = "t-1") -> Integration {
      Documents.integration(
        number, .testFailures, commit: "b", tests: [Documents.test(name, .failed)],
        issues: [Issue(id: id, kind: .testFailure, message: "no", test: Finding.test(name))])
    }
    let changes = Documents.comparison(red("old", 1), red("new", 5)).tests
    #expect(changes.renamed.map(\.id.name) == ["new"] && changes.renamed.map(\.was?.name) == ["old"])
    #expect(changes.added.isEmpty && changes.removed.isEmpty && changes.same == 0)
    let others = Documents.comparison(red("old", 1), red("new", 5, id: "t-2")).tests
    #expect(others.renamed.isEmpty && others.added.count == 1 && others.removed.count == 1)
  }

  @Test("A test that was renamed since the baseline is compared with what it was")
  func renamedSinceBaseline() {
    let before = Documents.integration(1, tests: [Documents.test("old", .failed), Documents.test("t", .passed)])
    var now = IntegrationRecord(
      Documents.integration(2, commit: "b", tests: [Documents.test("new", .passed), Documents.test("t", .passed)]))
    now.tests.changes = TestListChanges(renamed: [.init(from: Finding.test("old"), to: Finding.test("new"))])
    func changes(since baseline: Int) -> TestChanges {
      now.baseline = baseline
      return TestChanges(from: IntegrationRecord(before), to: now, earlier: [])
    }
    #expect(changes(since: 1).fixed.map(\.was?.name) == ["old"])
    #expect(changes(since: 1).removed.isEmpty && changes(since: 1).same == 1)
    #expect(changes(since: 0).removed.map(\.id.name) == ["old"], "Those names are about another one.")
  }

  @Test("A name that holds a place is not compared with that of the test that had it")
  func placed() {
    let places = [3, 4, 5].map { "over(_:)/B.swift:\($0):2" }
    let issue = { (name: String) in Issue(id: "t-1", kind: .testFailure, message: "no", test: Finding.test(name)) }
    let before = Documents.integration(
      1, .testFailures, tests: [Documents.test(places[0], .passed), Documents.test(places[1], .failed)],
      issues: [issue(places[1])])
    var now = IntegrationRecord(
      Documents.integration(
        2, .testFailures, commit: "b", tests: [Documents.test(places[1], .passed), Documents.test(places[2], .failed)],
        issues: [issue(places[2])]))
    let renamed = [0, 1].map { index in
      TestListChanges.Renaming(from: Finding.test(places[index]), to: Finding.test(places[index + 1]))
    }
    for (baseline, changes) in [(1, TestListChanges(renamed: renamed)), (0, nil)] as [(Int, TestListChanges?)] {
      (now.baseline, now.tests.changes) = (baseline, changes)
      let found = TestChanges(from: IntegrationRecord(before), to: now, earlier: [])
      #expect(found.fixed.isEmpty && found.broken.isEmpty)
      #expect(found.renamed.contains { $0.after?.state == .failed && $0.was?.name == places[1] })
    }
  }
}
