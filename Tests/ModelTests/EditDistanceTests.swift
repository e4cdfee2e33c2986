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
}
