import Testing

@testable import Rendering

@Suite("The tests by target")
struct TargetsSectionTests {
  @Test("Where tests turned red, the column of those that passed has its change, too")
  func changedTargets() throws {
    let index = try PageSite.sample("red").text("index.html")
    #expect(index.contains(#"data-l="passed">26 <span class=d>−2</span>"#))
  }
}
