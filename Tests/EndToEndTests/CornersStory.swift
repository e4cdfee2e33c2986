import FoundationEssentials
import Model

/// One repository with everything unusual: the package lies in a folder, depends on a package beside it, has sources
/// with CRLF line ends and others in a submodule.
struct CornersStory {
  static let told = Result { try CornersStory() }

  let scratch: ScratchFolder
  let plain: Integrated
  /// The same with a file changed, one added and one deleted.
  let uncommitted: Integrated
  /// The commit alone once more.
  let cleanAgain: Integrated
  /// From a linked work tree.
  let linked: Integrated
  let filtered: Integrated
  let skipped: Integrated
  let nothingSelected: Integrated
  /// With a commit that has the package beside it refuse what a test asks for, and one behind it.
  let crashed: Integrated
  /// The former of the two.
  let guilty: String
  /// What had changed in the watched repository after all those of the first commit.
  let touched: [String]

  static let bot = "Corners"
  private static let package = "Packages/Corner"

  private init() throws {
    scratch = try ScratchFolder("corners")
    let program = Program(scratch: scratch)
    let repository = try Self.repository(in: scratch)
    try repository.git("worktree", "add", "--quiet", "--detach", scratch.file("linked"))
    let before = try FolderSnapshot(repository.path)

    func integrate(_ arguments: String...) throws -> Integrated {
      try program.integrate(["--package", Self.package, "--quiet"] + arguments, bot: Self.bot)
    }
    plain = try integrate(repository.path, "--output", scratch.file("out/report"))
    filtered = try integrate(repository.path, "--filter", "greets", "--output", scratch.file("out/report/"))
    skipped = try integrate(repository.path, "--skip", "XCTests/", "--skip", "farewell")
    nothingSelected = try integrate(repository.path, "--filter", "noSuchTest")
    linked = try integrate(scratch.file("linked"), "--branch", "main")
    touched = try FolderSnapshot(repository.path).differences(from: before)

    try repository.write(
      Self.greeting.replacing("Hello", with: "Hi"), to: "\(Self.package)/Sources/Corner/Greeting.swift")
    try repository.write(
      "public let name = \"Ada\"\npublic func unheard() -> Int {\n  1\n}\n",
      to: "Packages/Inner/Sources/Inner/Name.swift")
    try repository.write("@Test func added() {}\nimport Testing\n", to: "\(Self.package)/Tests/CornerTests/Added.swift")
    try FileManager.default.removeItem(atPath: scratch.file("\(Self.bot)/\(Self.package)/Sources/Corner/Unused.swift"))
    uncommitted = try integrate("--working-tree", repository.path)
    cleanAgain = try integrate(repository.path)

    try repository.git("reset", "--quiet", "--hard")
    try repository.git("clean", "--quiet", "--force", "-d")
    try repository.commit(
      "Refuse to let anybody leave",
      ["Packages/Inner/Sources/Inner/Wish.swift": Self.wish.replacing("[true, false]", with: "[false]")])
    guilty = try repository.head.rawValue
    try repository.commit("Say more", ["\(Self.package)/Sources/Corner/More.swift": "// More.\n"])
    crashed = try integrate(repository.path)
  }

  private static func repository(in scratch: ScratchFolder) throws -> GitFolder {
    let vendored = try GitFolder("Vendored", in: scratch)
    try vendored.commit("Say farewell", ["Sources/Farewell.swift": "public func farewell() -> String { \"Bye\" }\n"])
    let repository = try GitFolder(bot, in: scratch)
    try repository.git(
      "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", vendored.path, "\(package)/Vendored")
    try repository.commit(
      "Begin",
      [
        ".gitattributes": "*.swift text eol=crlf\n",
        "README.md": "A package in a folder\n",
        "Packages/Inner/Package.swift": """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(
          name: "Inner", products: [.library(name: "Inner", targets: ["Inner"])], targets: [.target(name: "Inner")])

        """,
        "Packages/Inner/Sources/Inner/Name.swift": "public let name = \"Ada\"\n",
        "Packages/Inner/Sources/Inner/Wish.swift": wish,
        "\(package)/Package.swift": manifest,
        "\(package)/Sources/Corner/Greeting.swift": greeting,
        "\(package)/Sources/Corner/Unused.swift": "func unused() {}\n",
        "\(package)/Tests/CornerTests/GreetingTests.swift": tests,
      ])
    return repository
  }

  private static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription

    let package = Package(
      name: "Corner",
      dependencies: [.package(path: "../Inner")],
      targets: [
        .target(name: "Farewell", path: "Vendored/Sources"),
        .target(name: "Corner", dependencies: ["Farewell", .product(name: "Inner", package: "Inner")]),
        .testTarget(name: "CornerTests", dependencies: ["Corner"]),
      ]
    )

    """

  private static let wish = """
    public func isGranted(_ wish: Bool) -> Bool {
      precondition([true, false].contains(wish), "refused")
      return wish
    }

    """

  static let greeting = """
    import Farewell
    import Inner

    public func greeting(isLeaving: Bool) -> String {
      if isGranted(isLeaving) {
        return farewell()
      }
      return "Hello \\(name)"
    }

    """

  private static let tests = #"""
    import Corner
    import Testing
    import XCTest

    final class XCTests: XCTestCase {
      func test_greets() {
        XCTAssertTrue(greeting(isLeaving: false).hasSuffix("Ada"))
      }
    }

    @Test func greets() {
      #expect(greeting(isLeaving: false).hasPrefix("H"))
    }

    @Test func saysFarewell() {
      #expect(greeting(isLeaving: true) == "Bye")
    }

    """#
}
