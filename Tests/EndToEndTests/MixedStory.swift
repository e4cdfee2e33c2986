import Model

/// Commits of a package with both test libraries and C, integrated in one home with Swift Build and, where it is to be
/// held against that, with SwiftPM's own build system.
struct MixedStory {
  static let told = Result { try MixedStory() }

  /// The same commit with each of the two.
  struct Both {
    var swiftbuild: Integrated
    var native: Integrated
  }

  let first: Both
  /// The first commit once more.
  let again: Integrated
  /// A function calls another one, in a file of the same length.
  let broken: Both
  /// The file is as in the first commit.
  let mended: Both
  /// A source has errors and a warning.
  let wrong: Both
  /// Instead of them, what is to be linked is nowhere.
  let unlinked: Integrated
  /// Instead of that, a new test traps, and an old one has another name.
  let trapped: Integrated
  /// Instead of that, a test target is removed.
  let removed: Integrated
  /// What Swift Build has in its folder of products then.
  let products: [String]
  private let scratch: ScratchFolder

  private init() throws {
    scratch = try ScratchFolder("mixed")
    let program = Program(scratch: scratch)
    let repository = try GitFolder(MixedPackage.bot, in: scratch)
    func integrate(with system: String) throws -> Integrated {
      try program.integrate(repository.path, "--build-system", system, "--quiet", bot: MixedPackage.bot)
    }
    func both() throws -> Both {
      Both(swiftbuild: try integrate(with: "swiftbuild"), native: try integrate(with: "native"))
    }
    try repository.commit("Begin", MixedPackage.files)
    first = try both()
    again = try integrate(with: "swiftbuild")
    let core = "Sources/Core/Core.swift"
    try repository.commit("Break", [core: MixedPackage.core.replacing("c_twice(x)", with: "c_never(x)")])
    broken = try both()
    try repository.commit("Mend", [core: MixedPackage.core])
    let native = try integrate(with: "native")
    mended = Both(swiftbuild: try integrate(with: "swiftbuild"), native: native)
    let loose = "Sources/Loose/Loose.swift"
    try repository.commit("Write nonsense", [loose: Self.nonsense])
    wrong = try both()
    try repository.commit(
      "Call what is nowhere",
      [
        loose: MixedPackage.files[loose] ?? "",
        core: MixedPackage.core + "@_silgen_name(\"nowhere\") func nowhere()\npublic func calls() { nowhere() }\n",
      ])
    unlinked = try integrate(with: "swiftbuild")
    let trap = "Tests/CoreTests/TrapTests.swift"
    let other = MixedPackage.other.replacing("testTwice", with: "testMore")
    try repository.commit(
      "Trap", [core: MixedPackage.core, trap: Self.trap, "Tests/OtherTests/OtherTests.swift": other])
    trapped = try integrate(with: "swiftbuild")
    try repository.git("rm", "-r", "-q", "Tests/OtherTests", trap)
    let manifest = MixedPackage.manifest.replacing(
      #".testTarget(name: "OtherTests", dependencies: ["Core"]),"#, with: "")
    try repository.commit("Remove", ["Package.swift": manifest])
    removed = try integrate(with: "swiftbuild")
    products = scratch.names(in: "home/workspaces/\(MixedPackage.bot)/main/build/root+swiftbuild/out/Products")
  }

  private static let trap = """
    import CLib
    import XCTest
    final class TrapTests: XCTestCase {
      func test1() {}
      func test2() {
        let none: [Int] = []
        XCTAssertEqual(c_never(1), 1)
        let first = none[Int(c_never(1))]
        XCTAssertEqual(first, 1)
      }
      func test3() {}
    }

    """

  private static let nonsense = """
    @available(*, deprecated) public func old() {}
    public func usesOld() { old(); print("a: error: b") }
    public func wrong() {
      let text: Int = "x"
      missing(text)
    }

    """
}
