import FoundationEssentials
import Integrating
import Model
import Testing

@Suite("What people have said about issues")
struct SilencesTests {
  private let scratch: Scratch
  private let silences: Silences

  init() throws {
    scratch = try Scratch()
    silences = Silences(in: scratch.folder)
  }

  private func silence(_ issue: String, _ scope: Silence.Scope, _ number: Int, _ reason: String) -> Silence {
    Silence(
      issue: issue, scope: scope, reason: reason, author: "Mira", since: Date(timeIntervalSince1970: 1_795_000_000),
      until: Date(timeIntervalSince1970: 1_798_156_800), lastDay: "2026-12-24", number: number, message: "")
  }

  @Test("What is said anew stands in the place of all that was said before, whatever its reach; others stay")
  func replaced() throws {
    let other = silence("w-1", .ever, 3, "another")
    try silences.replace(those: "w-1", with: [other])
    try silences.replace(those: "t-1", with: [silence("t-1", .ever, 3, "old")])
    let new = [silence("t-1", .streak, 5, "new"), silence("t-1", .streak, 6, "new")]
    try silences.replace(those: "t-1", with: new)
    #expect(try silences.all() == [other] + new)
    try silences.replace(those: "t-1", with: [])
    #expect(try silences.all() == [other])
  }

  @Test("Whoever wrote silences without the day is read as well")
  func old() throws {
    try silences.replace(those: "t-1", with: [silence("t-1", .ever, 3, "x")])
    let text = try #require(scratch.text("silences.json"))
    let day = #"      "lastDay" : "2026-12-24",\#n"#
    #expect(text.contains(day))
    try scratch.folder.write(text.replacing(day, with: ""), to: "silences.json")
    #expect(try silences.all().map(\.lastDay) == [nil])
  }
}
