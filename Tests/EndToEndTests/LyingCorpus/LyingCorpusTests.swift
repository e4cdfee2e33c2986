import FoundationEssentials
import Glibc
import Testing

extension Misbehaviors {
  @Suite("The lying corpus", .enabled(if: MachineAbilities.canContain, "bubblewrap works here"))
  struct LyingCorpusTests {
    private static let story = Result { try LyingStory() }

    /// The cases, or those whose name holds a word that the environment names. Where it names a word or a table, each
    /// has an integration of its own.
    private static let cases: [LyingCase] = {
      let environment = ProcessInfo.processInfo.environment
      let (table, word) = (environment["MARTLET_LYING_TABLE"], environment["MARTLET_LYING_CASES"])
      let cases = LyingCase.corpus.filter { lie in
        (lie.mostMemory == nil || table != nil) && word.map { lie.name.contains($0) } != false
      }
      return table == nil && word == nil ? cases : cases.map(\.alone)
    }()

    /// Where the environment names a file for the table, adds a line to it.
    private static func report(_ line: String) {
      guard let path = ProcessInfo.processInfo.environment["MARTLET_LYING_TABLE"] else { return }
      let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
      guard file >= 0 else { return }
      let text = line + "\n"
      _ = write(file, text, text.utf8.count)
      close(file)
    }

    @Test("Each case comes out as expected, and reaches nothing outside", arguments: cases)
    func expected(_ lie: LyingCase) throws {
      let story = try Self.story.get()
      let (sight, line) = try story.tell(lie)
      Self.report(line)
      if lie.name == Self.cases.last?.name { Self.report(story.totals) }
      #expect(sight.survivors == 0)
      #expect(sight.faults == [])
      #expect(!sight.isWrongGreen)
    }

    @Test("Cases that share an integration are of one commit, under the same limits, and expect one outcome")
    func companies() {
      for cases in Dictionary(grouping: LyingCase.corpus.filter { $0.company != nil }, by: \.company).values {
        #expect(Set(cases.map(\.version)).count == 1, "\(cases.map(\.name))")
        #expect(Set(cases.map(\.limits)).count == 1, "\(cases.map(\.name))")
        #expect(Set(cases.map(\.outcome)).count == 1, "\(cases.map(\.name))")
        #expect(cases.allSatisfy { $0.mostMemory == nil }, "\(cases.map(\.name))")
      }
    }
  }
}
