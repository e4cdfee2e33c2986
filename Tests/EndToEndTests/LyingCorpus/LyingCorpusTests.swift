import FoundationEssentials
import Glibc
import Testing

extension Misbehaviors {
  @Suite("The lying corpus", .enabled(if: MachineAbilities.canContain, "bubblewrap works here"))
  struct LyingCorpusTests {
    private static let story = Result { try LyingStory() }

    /// The cases, or those whose name holds a word that the environment names.
    private static let cases = LyingCase.corpus.filter { lie in
      let environment = ProcessInfo.processInfo.environment
      guard lie.mostMemory == nil || environment["MARTLET_LYING_TABLE"] != nil else { return false }
      return environment["MARTLET_LYING_CASES"].map { lie.name.contains($0) } ?? true
    }

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
  }
}
