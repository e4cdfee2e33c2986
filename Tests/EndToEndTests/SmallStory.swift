import FoundationEssentials

/// A small package whose commits bring, each, something that others have to be told of, integrated one after the other.
struct SmallStory {
  static let told = Result { try SmallStory() }

  /// With a warning in Swift and one in C, with another test behind them, and with care.
  let warned: [Integrated]
  /// The manifest leaves out a file that there is not, and the source behind the link gets a function; then the same
  /// commit once more, and one that changes no source.
  let loose: [Integrated]
  /// What somebody else wrote: the commit, and the work tree, which is the same.
  let hostile: [Integrated]

  private let scratch: ScratchFolder
  private static let bot = "Small"
  private static let one = "public func one() -> Int {\n  1\n}\n"

  private init() throws {
    scratch = try ScratchFolder("small-story")
    let program = Program(scratch: scratch)
    let repository = try GitFolder(Self.bot, in: scratch)
    func integrate(_ message: String? = nil, _ files: [String: String] = [:]) throws -> Integrated {
      if let message { try repository.commit(message, files) }
      return try program.integrate(repository.path, "--quiet", bot: Self.bot)
    }
    try repository.git("config", "core.symlinks", "true")
    try repository.write("", to: "Sources/Small/Own.swift")
    try repository.write(Self.one, to: "Shared/Shared.swift")
    try FileManager.default.createSymbolicLink(
      atPath: "\(repository.path)/Sources/Small/Shared.swift", withDestinationPath: "../../Shared/Shared.swift")
    warned = [
      try integrate("Begin", Self.files),
      try integrate("Test more", ["Tests/SmallTests/More.swift": "import Testing\n@Test func more() {}\n"]),
      try integrate(
        "Take care",
        [
          "Sources/CSmall/careless.c": "int careless(void) { return 1; }\n",
          "Sources/Small/Careless.swift": "public func careless() {}\n",
        ]),
    ]
    loose = [
      try integrate(
        "Add two",
        [
          "Package.swift": Self.manifest(#", exclude: ["gone.txt"]"#),
          "Shared/Shared.swift": "public func two() -> Int {\n  2\n}\n\(Self.one)",
        ]),
      try integrate(),
      try integrate("Explain", ["README.md": "Small\n"]),
    ]
    try scratch.write("the secret word", to: "secret/file")
    try FileManager.default.createSymbolicLink(
      atPath: "\(repository.path)/link", withDestinationPath: scratch.file("secret"))
    try repository.commit(
      "Link \u{1B}[31mred\u{7}", ["Tests/SmallTests/HostileTests.swift": Self.hostileTests(in: scratch)])
    hostile = [
      try program.integrate(repository.path, bot: Self.bot),
      try program.integrate(repository.path, "--working-tree", bot: Self.bot),
    ]
  }

  /// - Parameter settings: more of what the manifest says of the library.
  private static func manifest(_ settings: String = "") -> String {
    SmallManifest.text(
      bot,
      targets: """
        .target(name: "CSmall"), .target(name: "Small", dependencies: ["CSmall"]\(settings)),
        .testTarget(name: "SmallTests", dependencies: ["Small"])
        """)
  }

  private static let files = [
    "Package.swift": manifest(),
    "Sources/CSmall/include/careless.h": "int careless(void);\n",
    "Sources/CSmall/careless.c": "#warning \"careless\"\nint careless(void) { return 1; }\n",
    "Sources/Small/Careless.swift": "public func careless() {\n  let unused = 1\n}\n",
    "Tests/SmallTests/SmallTests.swift": "import Small\nimport Testing\n@Test func ones() { #expect(one() == 1) }\n",
  ]

  private static func hostileTests(in scratch: ScratchFolder) -> String {
    let up = String(repeating: "../", count: 12)
    return """
      import Testing

      private func record(_ path: String) {
        Issue.record(
          "\\u{1B}]0;title\\u{7}",
          sourceLocation: SourceLocation(fileID: "A/b.swift", filePath: path, line: 1, column: 1))
      }

      @Test func absolute() { record("\(scratch.file("secret/file"))") }
      @Test func upwards() { record("\(up)\(scratch.path.dropFirst())/secret/file") }
      @Test func throughLink() { record("link/file") }

      """
  }
}
