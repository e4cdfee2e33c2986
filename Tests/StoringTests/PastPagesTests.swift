import FoundationEssentials
import Model
import Testing

@testable import Storing

@Suite("Pages of what is past")
struct PastPagesTests {
  private func store(_ numbers: some Sequence<Int>) throws -> Store {
    var store = try Store.inMemory()
    try store.note(
      numbers.map { number in
        IndexRow(
          bot: "b",
          IndexedIntegration(
            number: number, commit: CommitID(rawValue: "c"), branch: Self.branch(number),
            outcome: .succeeded, scope: nil, isDirty: false), line(number))
      })
    return store
  }

  private static func branch(_ number: Int) -> String { number <= 2000 && number % 1000 == 0 ? "rare" : "main" }

  private func line(_ number: Int) -> HistoryLine {
    let date = Date(timeIntervalSince1970: 0)
    var integration = Integration(
      bot: "b", number: number, repository: "", branch: Self.branch(number),
      commit: Commit(id: CommitID(rawValue: "c"), summary: "", author: "", date: date), cause: .commit, toolchain: "",
      configuration: "", sandbox: "", queuedAt: date, repeatCommand: "")
    (integration.startedAt, integration.endedAt) = (date, date)
    return HistoryLine(of: IntegrationRecord(integration, words: { _ in "" }))
  }

  @Test("Every integration is on one page, whatever the size of pages")
  func whole() throws {
    var store = try store(1...10)
    for limit in 1...11 {
      var met: [Int] = []
      var choice = PastSelection(limit: limit)
      while true {
        let page = try store.lines(of: "b", choice)
        met += page.lines.map(\.number)
        guard let next = page.next else { break }
        choice.before = next
      }
      #expect(met == Array((1...10).reversed()), "pages of \(limit)")
    }
    #expect(try store.lines(of: "other", PastSelection(limit: 5)).lines.isEmpty)
  }

  @Test("One page looks only so far, and the next goes on from there")
  func far() throws {
    var store = try store(Array(stride(from: 1000, through: 2000, by: 1000)) + Array(2001...12_500))
    let first = try store.lines(of: "b", PastSelection(branch: "rare", limit: 5))
    #expect(first.lines.isEmpty)
    #expect(first.next != nil)
    let second = try store.lines(of: "b", PastSelection(before: first.next, branch: "rare", limit: 5))
    #expect(second.lines.map(\.number) == [2000, 1000])
    #expect(second.next == nil)
  }

  @Test("What another connection writes changes the version, and nothing else does")
  func version() throws {
    let scratch = try Scratch()
    var writer = try Store(at: scratch.database)
    var reader = try Store(reading: scratch.database)
    let first = try reader.dataVersion()
    #expect(try reader.dataVersion() == first)
    try writer.markWhole()
    #expect(try reader.dataVersion() != first)
  }
}
