/// A branch that a commit turned red and another one mended, and a second branch that one turned red once more.
struct StandingStory {
  static let told = Result { try StandingStory() }

  private static let tests = """
    import Testing
    import Tiny
    @Test func doubles() { #expect(twice(2) == 4) }
    @Test func halves() { #expect(half(4) == 2) }
    @Test func stands() {}

    """

  let scratch: ScratchFolder
  let program: Program
  let repository: GitFolder
  /// The exit statuses, by the numbers of the integrations, from 1.
  private(set) var statuses: [Int32?] = []
  /// The badge, the issues and the first page of all, as they were after an integration.
  private(set) var badges: [Int: String] = [:]
  private(set) var issues: [Int: String] = [:]
  private(set) var indexes: [Int: String] = [:]
  /// What `martlet show` printed of the commit that was run once more.
  private(set) var shown = ""

  private init() throws {
    scratch = try ScratchFolder("standing")
    repository = try GitFolder("Tiny", in: scratch)
    program = Program(scratch: scratch)
    try repository.commit(
      "Begin",
      [
        "Package.swift": SmallManifest.tested("Tiny"),
        "Tests/TinyTests/TinyTests.swift": Self.tests,
        "Sources/Tiny/Tiny.swift": "public func twice(_ number: Int) -> Int { 2 * number }\n",
        "Sources/Tiny/Half.swift": "public func half(_ number: Int) -> Int { number / 2 }\n",
      ])
    try run()
    try repository.commit(
      "Break it", ["Sources/Tiny/Tiny.swift": "public func twice(_ number: Int) -> Int { 3 * number }\n"])
    try run()
    try run("--commit", "HEAD~1")
    try run("--filter", "stands")
    try look()
    try run("--filter", "doubles")
    try look()
    try repository.commit(
      "Mend it", ["Sources/Tiny/Tiny.swift": "public func twice(_ number: Int) -> Int { number + number }\n"])
    try run()
    try look()
    try repository.git("switch", "--quiet", "--create", "topic")
    try repository.commit(
      "Break the other", ["Sources/Tiny/Half.swift": "public func half(_ number: Int) -> Int { number / 4 }\n"])
    try run()
    try run()
    try look()
    shown = try program.run("show", "Tiny/8").output
    try repository.commit("Explain", ["README.md": "Tiny\n"])
    try run()
  }

  private mutating func run(_ arguments: String...) throws {
    statuses.append(try program.run(["run", repository.path, "--sandbox", "off", "--quiet"] + arguments).status)
  }

  /// Sees how it stands after the last integration.
  private mutating func look() throws {
    let number = statuses.count
    badges[number] = try program.run("export", "Tiny", "--format", "badge").output
    issues[number] = try program.run("issues", "Tiny").output
    indexes[number] = try scratch.read("home/site/index.html")
  }

  /// What an integration left.
  func integrated(_ number: Int) throws -> Integrated {
    try program.integrated(
      number, of: "Tiny", run: Program.Run(status: statuses[number - 1], output: "", errors: ""))
  }

  /// A page of the bot.
  func page(_ name: String) throws -> String { try scratch.read("home/site/Tiny/\(name)") }
}
