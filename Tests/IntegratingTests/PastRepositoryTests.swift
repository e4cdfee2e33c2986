import FoundationEssentials
import Git
import Model
import Rendering
import TestGround
import Testing

@testable import Integrating

@Suite("The repository that a bot's past is of")
struct PastRepositoryTests {
  private let home: Scratch
  private let scratch: RepositoryScratch
  private let path: String

  init() throws {
    home = try Scratch()
    scratch = try RepositoryScratch()
    path = try scratch.repository()
  }

  private func past(_ commits: [(CommitID, since: Int?)]) -> [IndexedIntegration] {
    commits.enumerated().map { index, commit in
      IndexedIntegration(
        number: index + 1, commit: commit.0, outcome: .succeeded, scope: "s", isDirty: false,
        repositorySince: commit.since)
    }
  }

  private func since(_ past: [IndexedIntegration], _ path: String) throws -> Int? {
    let repository = try Repository(at: path)
    return PastResults(integrations: home.folder).since(9, of: repository, named: path, in: past)
  }

  @Test("A bot's first integration, and those of the same repository, go on with what there is")
  func same() throws {
    let head = try scratch.commit(path)
    #expect(try since([], path) == nil)
    #expect(try since(past([(head, nil)]), path) == nil)
    #expect(try since(past([(CommitID(rawValue: String(repeating: "a", count: 40)), nil), (head, 2)]), path) == 2)
  }

  @Test("A clone goes on, another repository begins anew, and the one of before goes on where it was")
  func other() throws {
    let head = try scratch.commit(path)
    let clone = "\(scratch.path)/Clone"
    try scratch.git(scratch.path, "clone", "--quiet", path, clone)
    #expect(try since(past([(head, nil)]), clone) == nil)
    let other = try scratch.repository("Other")
    let foreign = try scratch.commit(other, "Another beginning")
    #expect(try since(past([(head, nil)]), other) == 9)
    #expect(try since(past([(head, nil), (foreign, 2)]), other) == 2)
    #expect(try since(past([(head, nil), (foreign, 2)]), path) == nil)
  }

  @Test("A repository whose history was rewritten is known by its place")
  func rewritten() throws {
    let gone = CommitID(rawValue: String(repeating: "a", count: 40))
    var integration = Integration(
      bot: "shop", number: 1, repository: path, branch: "main",
      commit: Commit(id: gone, summary: "Sell", author: "Ada", date: Date(timeIntervalSince1970: 0)), cause: .commit,
      toolchain: "Swift", configuration: "debug", sandbox: "off", queuedAt: Date(timeIntervalSince1970: 0),
      repeatCommand: "")
    integration.outcome = .succeeded
    #expect(try since(past([(gone, nil)]), path) == 9)
    let document = try IntegrationRecord(integration).encoded()
    try home.folder.folder("1").create().write(document, to: StoredIntegration.fileName)
    #expect(try since(past([(gone, nil)]), path) == nil)
  }
}
