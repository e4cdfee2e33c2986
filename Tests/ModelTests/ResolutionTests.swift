import FoundationEssentials
import Model
import Testing

@Suite("What ended an issue")
struct ResolutionTests {
  private func commit(_ id: String, _ author: String) -> Commit {
    Commit(id: CommitID(rawValue: id), summary: "Change \(id)", author: author, date: .distantPast)
  }

  @Test("Of several commits those remain that changed what ended it, and all if none is known to have")
  func narrow() throws {
    let (newest, other) = (commit("c", "Aiko"), commit("b", "Jonas"))
    var resolution = try #require(IssueRecord.Resolution([newest, other]))
    resolution.integrations = 3...4
    resolution.narrow(to: [])
    #expect(resolution.count == 2 && resolution.author == "Aiko")
    resolution.narrow(to: [other])
    #expect(resolution.count == 1 && resolution.author == "Jonas" && resolution.commit == other.id)
    #expect(resolution.summary == "Change b" && resolution.integrations == 3...4)
  }

  @Test("Of commits of several integrations everybody is known who made one, unless older memories say nothing of some")
  func people() throws {
    var resolution = try #require(IssueRecord.Resolution([commit("d", "Mira")]))
    resolution.add(try #require(IssueRecord.Resolution([commit("c", "Jonas"), commit("b", "Mira")])))
    #expect(resolution.count == 3 && resolution.people == ["Mira", "Jonas"])
    var older = try #require(IssueRecord.Resolution([commit("b", "Jonas"), commit("a", "Jonas")]))
    older.authors = nil
    resolution.add(older)
    #expect(resolution.count == 5 && resolution.people == nil)
  }
}
