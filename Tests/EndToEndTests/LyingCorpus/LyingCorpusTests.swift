import FoundationEssentials
import Glibc
import Processes
import Testing

extension Integrations {
  /// Whether bubblewrap works on this machine.
  private static let canContain: Bool = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    guard let cancellation = try? Cancellation(),
      case .works? = try? Bubblewrap.find(searchPath: path, cancellation: cancellation)
    else { return false }
    return true
  }()

  @Suite("The lying corpus", .enabled(if: canContain, "bubblewrap works here"))
  struct LyingCorpusTests {
    /// Every case, carried out once; where MARTLET_LYING_TABLE names a file, with a line for each.
    private static let story = Result {
      let chosen = ProcessInfo.processInfo.environment["MARTLET_LYING_CASES"]
      let cases = LyingCase.corpus.filter { lie in chosen.map { lie.name.contains($0) } ?? true }
      return try LyingStory(cases, report: report)
    }

    private static func report(_ line: String) {
      guard let path = ProcessInfo.processInfo.environment["MARTLET_LYING_TABLE"] else { return }
      let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
      guard file >= 0 else { return }
      let text = line + "\n"
      _ = write(file, text, text.utf8.count)
      close(file)
    }

    @Test("Each case comes out as expected", arguments: LyingCase.corpus)
    func expected(_ lie: LyingCase) throws {
      guard let sight = try Self.story.get().sights[lie.name] else { return }
      #expect(sight.survivors == 0)
      guard let reason = lie.open else {
        #expect(sight.faults == [])
        #expect(!sight.isWrongGreen)
        return
      }
      withKnownIssue(Comment(rawValue: reason), isIntermittent: true) { #expect(sight.faults == []) }
    }

    @Test("No case reaches a process or a service outside")
    func bystanders() throws {
      let story = try Self.story.get()
      #expect(story.touched == 0)
      #expect(!story.wasCalled)
    }
  }
}
