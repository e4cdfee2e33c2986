/// A package that is tested with Swift Testing alone, built as a release, of which all functions are to be tried without
/// their bodies.
struct ReleaseStory {
  static let told = Result { try ReleaseStory() }

  let integrated: Integrated
  private let scratch: ScratchFolder

  private init() throws {
    scratch = try ScratchFolder("release")
    let repository = try GitFolder("Swiftly", in: scratch)
    try repository.commit(
      "Begin",
      [
        "Package.swift": SmallManifest.tested("Swiftly"),
        "Sources/Swiftly/Swiftly.swift": """
        public func isDebug() -> Bool {
          #if DEBUG
            return true
          #else
            return false
          #endif
        }

        """,
        "Tests/SwiftlyTests/SwiftlyTests.swift":
          "@testable import Swiftly\nimport Testing\n@Test func isReleased() { #expect(!isDebug()) }\n",
      ])
    integrated = try Program(scratch: scratch).integrate(
      repository.path, "--configuration", "release", "--mutants", "all", bot: "Swiftly")
  }
}
