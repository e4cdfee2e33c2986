import FoundationEssentials
import Testing

@Suite("What the sheet costs a browser")
struct StyleCostTests {
  /// What holds choices, and little else.
  private static let holders: Set<Substring> = [".source-head", ".filter", ".l1", "label"]

  @Test("A choice is looked for only beside its table, as in a whole page it would be for each row once more")
  func choices() throws {
    let data = try Data(contentsOf: PageSite.repository.appending(path: "templates/style.css"))
    let rules = String(decoding: data, as: UTF8.self)
    let found = rules.matches(of: /(\S+?):has\([^{,]*?:checked/).map(\.1)
    #expect(found.count > 20)
    #expect(found.filter { !Self.holders.contains($0) } == [])
  }
}
