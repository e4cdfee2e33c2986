import FoundationEssentials
import Model
import Testing

@testable import Git
@testable import Integrating

@Suite("What a request means in its repository")
struct TargetTests {
  private let scratch: Scratch
  private var repository: String { scratch.file("repository") }

  init() throws {
    scratch = try Scratch()
    try scratch.shell(
      """
      mkdir outside && touch outside/Package.swift && git init --quiet --initial-branch=main repository && cd repository
      mkdir -p packages/App && touch Package.swift packages/App/Package.swift
      ln -s packages/App app && ln -s ../outside away && git add --all && git commit --quiet --message Begin && git tag v1.0
      """)
  }

  private func target(_ subject: IntegrationRequest.Subject, package: String = ".") throws -> Target {
    var bot = Bot(name: "", repository: repository)
    bot.package = package
    let request = IntegrationRequest(bot, subject, queuedAt: Date(timeIntervalSince1970: 0))
    return try Target(of: request, in: Repository(at: repository))
  }

  @Test(
    "A package behind a link is the one that the link leads to",
    arguments: [.head, .workingTree] as [IntegrationRequest.Subject])
  func links(subject: IntegrationRequest.Subject) throws {
    #expect(try target(subject, package: "app").package == "packages/App")
    #expect(try target(subject, package: "packages/App").package == "packages/App")
    #expect(try target(subject).package == ".")
  }

  @Test("No link leads out of the work tree")
  func outside() throws {
    #expect(
      throws: IntegratingError(
        .request,
        "there is no Package.swift in \(repository)/away. Choose the folder of the package: --package packages/App.")
    ) { _ = try target(.workingTree, package: "away") }
  }

  @Test("A folder that is not in the commit is told with who names it, and one without a package as such")
  func wrongFolder() throws {
    try scratch.shell("cd repository && git rm --quiet -r packages app && mkdir docs && touch docs/a && git add docs")
    try scratch.shell("cd repository && git commit --quiet --message Root")
    let commit = try commit("main").short
    func request(
      _ folder: String, of bot: String?, _ subject: IntegrationRequest.Subject = .head
    ) -> IntegrationRequest {
      var settings = Bot(name: bot ?? "", repository: repository)
      settings.package = folder
      var request = IntegrationRequest(settings, subject, queuedAt: Date(timeIntervalSince1970: 0))
      request.place = bot.map { IntegrationRequest.Place(bot: $0, number: 1) }
      return request
    }
    func refusal(_ folder: String) -> String? {
      let error = #expect(throws: IntegratingError.self) {
        _ = try Target(of: request(folder, of: nil), in: Repository(at: repository))
      }
      return error?.description
    }
    #expect(refusal("packages/Nope") == "there is no folder 'packages/Nope' at \(commit). Correct --package.")
    #expect(refusal("docs") == "there is no Package.swift in the folder 'docs' at \(commit). Correct --package.")
    // A bot's integration tells it, with all that changed.
    let absence = try Target(of: request("packages/Nope", of: "Nope"), in: Repository(at: repository)).absence
    #expect(absence?.outcome == .checkoutError)
    #expect(
      absence?.reasons == [.packageMissing("folder 'packages/Nope'"), .hint("Correct 'package' in Nope.yml.")])
    let before = request("packages/Nope", of: "Nope", .revision("v1.0", branch: nil))
    #expect(
      try Target(of: before, in: Repository(at: repository)).absence?.reasons == [
        .packageMissing("folder 'packages/Nope'", another: "packages/App"),
        .hint("Write 'package: packages/App' into Nope.yml."),
      ])
    #expect(try Target(of: request(".", of: "Root"), in: Repository(at: repository)).absence == nil)
  }

  @Test("A tag that was asked for by its name is known")
  func tags() throws {
    #expect(try target(.revision("v1.0", branch: nil)).tag == "v1.0")
    #expect(try target(.revision("main", branch: nil)).tag == nil)
    #expect(try target(.head).tag == nil)
  }

  @Test("A commit that a person picks is built alone, unless it is one of the branch that the person names")
  func groups() throws {
    try scratch.shell(
      """
      cd repository && git checkout --quiet -b side && git commit --quiet --allow-empty --message Side
      git checkout --quiet main
      """)
    #expect(try target(.head).group == .branch("main"))
    #expect(try target(.workingTree).group == .branch("main"))
    #expect(try target(.branch("side")).group == .branch("side"))
    #expect(try target(.revision("HEAD", branch: nil)).group == .alone)
    #expect(try target(.revision("HEAD", branch: nil)).branch == "main")
    #expect(try target(.revision("main", branch: "side")).group == .branch("side"))
    #expect(try target(.revision("side", branch: "main")).group == .alone)
    #expect(try target(.revision("main", branch: "planned")).group == .alone)
    let commit = try target(.head).commit
    #expect(try target(.commit(commit, branch: "main")).group == .branch("main"))
    #expect(try target(.commit(commit, branch: nil)).group == .alone)
    try scratch.shell("cd repository && git checkout --quiet --detach")
    #expect(try target(.head).group == .alone)
  }

  @Test("A commit is behind its branch as soon as a newer one on it has told how the branch stands")
  func behind() throws {
    try scratch.shell(
      """
      cd repository && git commit --quiet --allow-empty --message Second
      git commit --quiet --allow-empty --message Third && git checkout --quiet --detach HEAD~1
      git commit --quiet --allow-empty --message Lost && git tag lost && git checkout --quiet main
      """)
    let (first, second) = (try commit("main~2"), try commit("main~1"))
    func isBehind(_ commit: CommitID, _ newer: IndexedIntegration...) throws -> Bool {
      try target(.commit(commit, branch: "main"))
        .isBehindBranch(after: [integrated(first)] + newer, in: Repository(at: repository))
    }
    let tip = integrated(try commit("main"))
    #expect(try isBehind(second, tip))
    #expect(try isBehind(first, integrated(second)), "The branch need not have ended there.")
    #expect(try isBehind(second, integrated(tip.commit, .internalError)))
    #expect(try !isBehind(tip.commit, tip))
    // Commits that wait, or are tried again, are news until then.
    #expect(try !isBehind(second))
    #expect(try !isBehind(second, integrated(second)))
    #expect(try !isBehind(second, integrated(tip.commit, .canceled)))
    #expect(try !isBehind(second, integrated(tip.commit, on: "side")))
    #expect(try !isBehind(second, integrated(tip.commit, isDirty: true)))
    #expect(try !isBehind(second, integrated(commit("lost"))))
    #expect(
      try !target(.commit(second, branch: nil)).isBehindBranch(after: [tip], in: Repository(at: repository)))
  }

  private func commit(_ revision: String) throws -> CommitID { try target(.revision(revision, branch: nil)).commit }

  private func integrated(
    _ commit: CommitID, _ outcome: Outcome = .testFailures, on branch: String = "main", isDirty: Bool = false
  ) -> IndexedIntegration {
    IndexedIntegration(number: 1, commit: commit, branch: branch, outcome: outcome, scope: "s", isDirty: isDirty)
  }

  @Test("A package folder outside the repository is refused", arguments: ["/elsewhere", "..", "a/../../b"])
  func outside(folder: String) throws {
    #expect(
      throws: IntegratingError(
        .request,
        "the package folder '\(folder)' must lie inside the repository. Give it relative to the repository's root.")
    ) {
      _ = try target(.head, package: folder)
    }
  }
}
