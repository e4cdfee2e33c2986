import FoundationEssentials
import Model
import Processes
import Testing

@testable import Git
@testable import Integrating

@Suite("The command that repeats an integration")
struct RepeatCommandTests {
  /// What a shell makes of a command: its words.
  private func words(_ command: String) throws -> [String] {
    let script = "set -- \(command)\nfor word; do printf '%s\\0' \"$word\"; done"
    let output = try Command("/bin/sh", ["-c", script], environment: [:], workingDirectory: "/")
      .collect(limits: Limits(), cancellation: Cancellation(), limit: 1 << 20)
    return output.standardOutput.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// A repository with one commit of a package at its root and in a folder.
  private func target(_ request: IntegrationRequest) throws -> Target {
    try Target(of: request, in: Repository(at: request.repository))
  }

  private func repository(_ scratch: Scratch) throws -> String {
    let script = """
      git init --quiet --initial-branch=main . && mkdir -p "sub folder" && touch Package.swift "sub folder/Package.swift"
      git add --all && git commit --quiet --message Begin
      """
    let run = try Command(
      "/bin/sh", ["-c", script],
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": scratch.path, "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "Mira", "GIT_AUTHOR_EMAIL": "mira@example.org",
        "GIT_COMMITTER_NAME": "Mira", "GIT_COMMITTER_EMAIL": "mira@example.org",
      ], workingDirectory: scratch.path
    ).collect(limits: Limits(), cancellation: Cancellation(), limit: 1 << 20)
    #expect(run.result.succeeded, "\(String(decoding: run.standardError, as: UTF8.self))")
    return scratch.path
  }

  @Test("Names the repository and the commit, and nothing that is as usual")
  func plain() throws {
    let scratch = try Scratch()
    let request = IntegrationRequest(repository: try repository(scratch), queuedAt: Date(timeIntervalSince1970: 0))
    let target = try target(request)
    #expect(
      RepeatCommand(request, target: target, repository: "/r").text == "martlet run /r --commit \(target.commit.short)")
  }

  @Test("Has every option that decides what is integrated")
  func options() throws {
    let scratch = try Scratch()
    let request = IntegrationRequest(
      repository: try repository(scratch), subject: .workingTree, package: "./sub folder/", filter: ["A", "B.*"],
      skip: ["$x"], configuration: "release", queuedAt: Date(timeIntervalSince1970: 0))
    #expect(
      try words(RepeatCommand(request, target: target(request), repository: scratch.path).text) == [
        "martlet", "run", scratch.path, "--working-tree", "--package", "sub folder", "--configuration", "release",
        "--filter", "A", "--filter", "B.*", "--skip", "$x",
      ])
  }

  @Test("A shell reads hostile words as they were given")
  func quoting() throws {
    let scratch = try Scratch()
    let hostile = [
      "it's", "''", "'", "\"", "a b", "", "$HOME", "`id`", "$(id)", "\\", "\\'", "a\nb", "*", "?", "~", "!", "#", ";",
      "&", "|", ">", "(", "{a,b}", "--skip", "é🦅", "\t", "=", "a=b", "-",
    ]
    let path = try repository(scratch)
    for word in hostile {
      // Not every word is a regular expression, so it stands where the repository stands.
      let request = IntegrationRequest(repository: path, queuedAt: Date(timeIntervalSince1970: 0))
      let text = RepeatCommand(request, target: try target(request), repository: word).text
      #expect(try words(text)[2] == word, "\(text)")
    }
  }
}

@Suite("What a request means")
struct TargetTests {
  @Test("A package folder outside the repository is refused", arguments: ["/elsewhere", "..", "a/../../b"])
  func outside(folder: String) throws {
    let scratch = try Scratch()
    let run = try Command(
      "/bin/sh",
      [
        "-c",
        "git init --quiet . && git -c user.name=M -c user.email=m@example.org commit --quiet --allow-empty -m Begin",
      ],
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": scratch.path, "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
      ], workingDirectory: scratch.path
    ).collect(limits: Limits(), cancellation: Cancellation(), limit: 1 << 20)
    #expect(run.result.succeeded)
    let request = IntegrationRequest(
      repository: scratch.path, package: folder, queuedAt: Date(timeIntervalSince1970: 0))
    #expect(
      throws: IntegratingError(
        .request,
        "the package folder '\(folder)' must lie inside the repository. Give it relative to the repository's root.")
    ) {
      _ = try Target(of: request, in: Repository(at: scratch.path))
    }
  }
}
