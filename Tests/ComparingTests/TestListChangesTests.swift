import Model
import Testing

@testable import Comparing

@Suite("New, deleted and renamed tests")
struct TestListChangesTests {
  private func ids(_ names: String...) -> Set<TestID> { Set(names.compactMap { TestID($0) }) }

  /// What became of tests with these bodies, all in sources that changed.
  private func changes(_ before: [String: String], _ now: [String: String]) -> TestListChanges {
    func bodies(_ texts: [String: String]) -> [TestID: String] {
      Dictionary(uniqueKeysWithValues: texts.compactMap { name, body in TestID(name).map { ($0, body) } })
    }
    let found = TestListChanges.Bodies(before: bodies(before), now: bodies(now))
    return TestListChanges(from: Set(found.before.keys), to: Set(found.now.keys), filteredOut: [], bodies: found)
  }

  private func renamed(_ before: [String: String], _ now: [String: String]) -> [String] {
    changes(before, now).renamed.map { "\($0.from) \($0.to)" }
  }

  private func changes(_ before: Set<TestID>, _ now: Set<TestID>, filteredOut: Set<TestID> = []) -> TestListChanges {
    TestListChanges(from: before, to: now, filteredOut: filteredOut)
  }

  @Test("A test that came is new, one that went is deleted, and one that was filtered out is neither")
  func plain() {
    let found = changes(
      ids("A.S/kept()", "A.S/gone()", "A.S/hidden()"), ids("A.S/kept()", "A.S/entirelyNew()"),
      filteredOut: ids("A.S/hidden()"))
    #expect(found == TestListChanges(added: ids("A.S/entirelyNew()").sorted(), deleted: ids("A.S/gone()").sorted()))
    #expect(changes(ids("A.b()"), ids("A.b()")).isEmpty)
  }

  @Test("Where not all tests could be listed, one that is missing was not deleted, and the others came or were renamed")
  func unlisted() {
    func body(of name: String) -> [TestID: String] { ids(name).reduce(into: [:]) { $0[$1] = "x" } }
    let found = TestListChanges(
      from: ids("A.kept()", "A.old()", "B.gone()"), to: ids("A.kept()", "A.new()", "A.added()"), filteredOut: [],
      mayLackTests: true, bodies: .init(before: body(of: "A.old()"), now: body(of: "A.new()")))
    #expect(found.deleted == [])
    #expect(found.added == ids("A.added()").sorted())
    #expect(found.renamed.map { "\($0.from) \($0.to)" } == ["A.old() A.new()"])
  }

  @Test("A test whose body stands under another name of its module was renamed, however much the names differ")
  func renamed() {
    let found = changes(
      ["A.S/sums()": "a", "A.S/pays()": "b", "B.sums()": "c"], ["A.S/adds()": "a", "A.T/pays()": "b", "C.sums()": "c"])
    #expect(found.renamed.map { "\($0.from) \($0.to)" } == ["A.S/sums() A.S/adds()", "A.S/pays() A.T/pays()"])
    #expect(found.added == ids("C.sums()").sorted())
    #expect(found.deleted == ids("B.sums()").sorted())
  }

  @Test("A name that is only alike is that of another test, and so is one whose body is not known")
  func alike() {
    let found = changes(["A.sum()": "a"], ["A.sums()": "b"])
    #expect(found == TestListChanges(added: ids("A.sums()").sorted(), deleted: ids("A.sum()").sorted()))
    #expect(changes(ids("A.sum()"), ids("A.sums()")).renamed.isEmpty)
  }

  @Test("Which of several tests with one body was renamed is not guessed")
  func ambiguous() {
    #expect(renamed(["A.a()": "x", "A.b()": "x"], ["A.c()": "x"]).isEmpty)
    #expect(renamed(["A.a()": "x"], ["A.b()": "x", "A.c()": "x"]).isEmpty)
    #expect(renamed(["A.a()": "x"], ["A.a()": "x", "A.b()": "x"]).isEmpty)
  }

  @Test("Tests may exchange their names, or take one that another test gave up")
  func exchanged() {
    #expect(renamed(["A.a()": "x", "A.b()": "y"], ["A.a()": "y", "A.b()": "x"]) == ["A.b() A.a()", "A.a() A.b()"])
    #expect(renamed(["A.a()": "x", "A.b()": "y"], ["A.b()": "x", "A.c()": "y"]) == ["A.a() A.b()", "A.b() A.c()"])
  }

  @Test("A test that stays under its name was edited, even if it does by now what another one did")
  func edited() {
    #expect(changes(["A.a()": "x", "A.b()": "y"], ["A.a()": "y", "A.b()": "z"]).isEmpty)
    let found = changes(["A.a()": "x", "A.b()": "y"], ["A.b()": "x"])
    #expect(found == TestListChanges(deleted: ids("A.a()").sorted()))
  }
}
