import Model
import Testing

@Suite("How near two names are")
struct EditDistanceTests {
  @Test(
    "Insertions, removals, replacements and swapped neighbours count one each",
    arguments: [
      ("kitten", "sitting", 3), ("ab", "ba", 1), ("", "ab", 2), ("ab", "", 2), ("main", "main", 0),
      ("shedule", "schedule", 1),
      ("", "", 0),
    ])
  func distance(one: String, other: String, expected: Int) {
    #expect(EditDistance.between(one, other) == expected)
    #expect(EditDistance.between(other, one) == expected)
  }

  @Test(
    "The nearest names come first, and only near ones come",
    arguments: [
      ("mian", ["topic", "mien", "main"], ["main", "mien"]), ("MAIN", ["main"], ["main"]), ("x", ["abc"], []),
      ("rn", ["run", "ran", "run"], ["ran", "run"]), ("", ["a", "ab"], ["a"]),
      ("configuratoin-of-things", ["configuration-of-things"], ["configuration-of-things"]),
      ("a-name-of-which-much-differs", ["a-game-of-each-mud-differs"], []), ("--nope", ["--home"], []),
      ("--hoem", ["--home"], ["--home"]),
    ])
  func nearest(name: String, known: [String], expected: [String]) {
    #expect(EditDistance.nearest(to: name, among: known) == expected)
  }

  @Test("Names that are too long for a slip are not compared")
  func long() {
    #expect(EditDistance.nearest(to: String(repeating: "a", count: 101), among: ["main"]) == [])
    #expect(EditDistance.nearest(to: "main", among: [String(repeating: "main", count: 1000)]) == [])
  }
}
