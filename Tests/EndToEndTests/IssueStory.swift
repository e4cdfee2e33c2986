import FoundationEssentials
import Model

/// The history of a small package in which issues come, move, are silenced, go and come back.
struct IssueStory {
  let scratch: ScratchFolder
  let program: Program
  let repository: GitFolder
  /// In the order in which they were made, from 1.
  private(set) var integrations: [Integrated] = []
  /// What `martlet silence` and the like printed.
  private(set) var runs: [String: Program.Run] = [:]

  static let shared = Result { try IssueStory() }

  private static let careless = "public func careless() {\n  let unused = 1\n}\n"
  private static let right = "public func total(_ a: Int, _ b: Int) -> Int { a + b }\n"
  private static let wrong = "public func total(_ a: Int, _ b: Int) -> Int { a - b }\n"
  private static let tests = """
    import Testing
    @testable import Till

    @Test func sums() { #expect(total(1, 2) == 3) }
    @Test func waits() async throws { try await Task.sleep(for: .milliseconds(120)) }

    """

  /// What XCTest measures takes as many microseconds, and a little more.
  private static func pace(_ microseconds: Int) -> String {
    """
    import XCTest

    final class PaceTests: XCTestCase {
      func testPace() { measure { usleep(\(microseconds)) } }
    }

    """
  }

  private init() throws {
    scratch = try ScratchFolder("issues")
    program = Program(scratch: scratch)
    repository = try GitFolder("Till", in: scratch)
    try repository.commit(
      "Begin",
      [
        "Package.swift": SmallManifest.tested("Till"),
        "Sources/Till/Careless.swift": Self.careless, "Sources/Till/Total.swift": Self.right,
        "Tests/TillTests/TillTests.swift": Self.tests, "Tests/TillTests/PaceTests.swift": Self.pace(1_000),
      ])
    try integrate()
    try repository.git("mv", "Sources/Till/Careless.swift", "Sources/Till/Sloppy.swift")
    try repository.commit(
      "Subtract", ["Sources/Till/Sloppy.swift": "// A note.\n\(Self.careless)", "Sources/Till/Total.swift": Self.wrong])
    try integrate()
    let id = integrations[1].document.issues.first { $0.kind == .testFailure }?.id ?? "none"
    runs["silence first"] = try program.run("silence", id, "--for", "ever", "--reason", "a word too many")
    runs["silence"] = try program.run("silence", id, "--reason", "known since Monday", "--until", "2999-12-31")
    try repository.commit("Nothing")
    try integrate()
    runs["silenced"] = try program.run("issues", "Till")
    try repository.commit(
      "Add",
      [
        "Sources/Till/Total.swift": Self.right,
        "Tests/TillTests/TillTests.swift": Self.tests + "@Test func more() {}\n",
        "Tests/TillTests/PaceTests.swift": Self.pace(60_000),
      ]
    )
    try integrate()
    try repository.commit("Subtract again", ["Sources/Till/Total.swift": Self.wrong])
    try integrate()
    runs["json"] = try program.run("issues", "Till", "--json", "--all")
    runs["silence beginning"] = try program.run("silence", String(id.prefix(4)), "--reason", "soon")
    runs["silence nothing"] = try program.run("silence", "", "--reason", "all of it")
    runs["unsilence nothing"] = try program.run("unsilence", "")
    runs["unsilence"] = try program.run("unsilence", String(id.prefix(4)))
    runs["unsilence again"] = try program.run("unsilence", id)
    let warning = integrations[4].document.issues.first { $0.kind == .warning }?.id ?? "none"
    runs["silence warning"] = try program.run("silence", warning, "--reason", "known as well")
    try repository.commit("Misspell a setting", [".martlet.yml": "tests: {filtre: [sums]}\n"])
    try integrate()
    runs["unknown"] = try program.run("silence", "t-00000000", "--reason", "none")
    runs["no reason"] = try program.run("silence", id)
    runs["no day"] = try program.run("silence", id, "--reason", "x", "--until", "2026-02-31")
    runs["past day"] = try program.run("silence", id, "--reason", "x", "--until", "2020-02-21")
    runs["no bot"] = try program.run("issues", "Tall")
  }

  private mutating func integrate() throws {
    integrations.append(try program.integrate(repository.path, "--quiet", bot: "Till"))
  }

  /// The issues of an integration, by kind.
  func issue(_ kind: Issue.Kind, in number: Int) -> IntegrationRecord.FlatIssue? {
    integrations[number - 1].document.issues.first { $0.kind == kind }
  }
}
