import FoundationEssentials
import Model
import Testing

@Suite("Figures of branches")
struct BranchTotalsTests {
  private let some = CoverageTotals(branches: Tally(total: 4, covered: 1))

  @Test("What has none adds nothing, and nothing has none")
  func addition() {
    #expect((some + CoverageTotals()).branches == some.branches)
    #expect((CoverageTotals() + some).branches == some.branches)
    #expect((some + some).branches == Tally(total: 8, covered: 2))
    #expect((CoverageTotals() + CoverageTotals()).branches == nil)
  }

  @Test("A change is known where both have some")
  func change() {
    #expect((some - CoverageTotals(branches: Tally(total: 2, covered: 2))).branches == Tally(total: 2, covered: -1))
    #expect((some - CoverageTotals()).branches == nil)
    #expect((CoverageTotals() - some).branches == nil)
  }

  @Test("Totals without branches are written and read as before")
  func wire() throws {
    let text = String(decoding: try JSONEncoder().encode(CoverageTotals()), as: UTF8.self)
    #expect(!text.contains("branches"))
    #expect(try JSONDecoder().decode(CoverageTotals.self, from: Data(text.utf8)) == CoverageTotals())
  }
}
