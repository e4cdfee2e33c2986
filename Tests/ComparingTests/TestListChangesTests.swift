import Model
import Testing

@testable import Comparing

@Suite("New, deleted and renamed tests")
struct TestListChangesTests {
  private func ids(_ names: String...) -> Set<TestID> { Set(names.compactMap { TestID($0) }) }

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

  @Test("A near name in the same suite is a renamed test, and so is the same name in another suite")
  func renamed() throws {
    let found = changes(
      ids("A.S/testSum", "A.S/testPays", "B.S/testSum"), ids("A.S/testSums", "A.T/testPays", "C.S/testSum"))
    #expect(found.renamed.map { "\($0.from) \($0.to)" } == ["A.S/testSum A.S/testSums", "A.S/testPays A.T/testPays"])
    #expect(found.added == ids("C.S/testSum").sorted())
    #expect(found.deleted == ids("B.S/testSum").sorted())
  }

  @Test("Of several the nearest is the one, and each is it once")
  func nearest() {
    let found = changes(ids("A.S/testSumOfAll"), ids("A.S/testSumOfAny", "A.S/testSumOfAlls"))
    #expect(found.renamed.map(\.to) == ids("A.S/testSumOfAlls").sorted())
    #expect(found.added == ids("A.S/testSumOfAny").sorted())
  }
}
