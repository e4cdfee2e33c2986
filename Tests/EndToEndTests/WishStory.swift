import FoundationEssentials

/// A package of two commits with everything that a report tells only on request.
struct WishStory {
  static let told = Result { try WishStory() }

  static let links = """
    public enum Links {
      public static func issue(_ number: Int) -> String {
        "https://example.org/\\(number)"
      }

      public static func page() -> String {
        "https://example.org"
      }
    }

    """

  private static let tests = """
    import Testing
    import XCTest
    @testable import Shop

    /// A trait is made when a test is found, whether or not it runs then.
    struct Known: TestTrait {
      var url: String
    }

    @Test(Known(url: Links.issue(7))) func page() {
      #expect(Links.page() == "https://example.org")
    }

    /// Fails only where the tests are run one after the other, to see what each of them runs.
    @Test func together() {
      #expect(!CommandLine.arguments.contains("--no-parallel"))
    }

    final class OldTests: XCTestCase {
      func testPage() {
        XCTAssertEqual(Links.page(), "https://example.org")
      }
    }

    """

  let first: Integrated
  /// Two lines are gone.
  let second: Integrated
  /// What `--single-file` wrote.
  let single: String
  /// Which tests ran which lines of the second.
  let map: String
  private let scratch: ScratchFolder

  private init() throws {
    scratch = try ScratchFolder("wishes")
    let repository = try GitFolder("Shop", in: scratch)
    let links = Self.links.replacing(
      "  public static func page", with: "  // Gone\n  // soon.\n  public static func page")
    try repository.commit(
      "Begin",
      [
        "Package.swift": SmallManifest.tested("Shop"),
        "Sources/Shop/Links.swift": links, "Tests/ShopTests/LinksTests.swift": Self.tests,
      ])
    let program = Program(scratch: scratch)
    first = try program.integrate("--incidental", repository.path, bot: "Shop")
    try repository.commit("Tidy", ["Sources/Shop/Links.swift": Self.links])
    second = try program.integrate(
      "--incidental", "--map", "--blame", "--single-file", "--output", scratch.file("report"), repository.path,
      bot: "Shop")
    single = try scratch.read("report/report.html")
    map = try Program.run(
      "/usr/bin/gzip", ["-dc", "report/test-map.json.gz"], environment: [:], in: scratch.path
    ).output
  }
}
