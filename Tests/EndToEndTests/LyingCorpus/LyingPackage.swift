import FoundationEssentials
import Model

/// The package of the corpus, with its later commits.
struct LyingPackage {
  static let bot = "Lies"
  let repository: GitFolder
  private(set) var commits: [LyingCase.Version: String] = [:]

  /// Commits all versions; `@NAME@` in a file is replaced.
  init(in scratch: ScratchFolder, replacing values: [String: String]) throws {
    repository = try GitFolder(Self.bot, in: scratch)
    let folder = Checkout.folder("Tests/EndToEndTests/LyingCorpus/Package")
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      guard let data = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)")) else { continue }
      let text = values.reduce(String(decoding: data, as: UTF8.self)) { $0.replacing("@\($1.key)@", with: $1.value) }
      try repository.write(text, to: name)
    }
    for version in LyingCase.Version.allCases {
      try repository.commit(version.rawValue, try Self.changes(for: version))
      commits[version] = try repository.head.rawValue
    }
  }

  private static func changes(for version: LyingCase.Version) throws -> [String: String] {
    switch version {
    case .base: [:]
    case .interposing:
      ["Sources/CLies/interpose.c": try Checkout.text("Tests/EndToEndTests/LyingCorpus/Versions/interpose.c")]
    case .merged:
      ["Tests/XLies/Merged.swift": try Checkout.text("Tests/EndToEndTests/LyingCorpus/Versions/Merged.swift")]
    case .brokenTests: ["Tests/XLies/Broken.swift": "func number() -> Int { \"word\" }\n"]
    case .empty:
      [
        "Tests/Nothing/Nothing.swift": "import Lies\n",
        "Package.swift": manifest(
          #".target(name: "Lies", dependencies: ["CLies"]), .testTarget(name: "Nothing", dependencies: ["Lies"])"#),
      ]
    case .strict:
      [
        "Package.swift": manifest(
          #".target(name: "Lies", dependencies: ["CLies"], swiftSettings: [.unsafeFlags(["-warnings-as-errors"])])"#),
        "Sources/Lies/Strict.swift": "func unused() {\n  let number = 1\n}\n",
      ]
    case .endless:
      ["Package.swift": manifest("") + "while true { sleep(1) }\n"]
    }
  }

  private static func manifest(_ targets: String) -> String {
    """
    // swift-tools-version: 6.0
    import Foundation
    import PackageDescription
    let package = Package(name: "Lies", targets: [.target(name: "CLies"), \(targets)])

    """
  }
}
