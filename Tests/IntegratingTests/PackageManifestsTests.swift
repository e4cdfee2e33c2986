import Testing

@testable import Integrating

@Suite("Manifests of a checkout")
struct PackageManifestsTests {
  private typealias Manifest = PackageManifests.Manifest

  private func own(_ texts: String...) -> PackageManifests {
    PackageManifests(own: texts.enumerated().map { Manifest(path: "Package@swift-\($0).swift", text: $1) })
  }

  @Test(
    "Those for other tools versions are manifests as well, and other files are not",
    arguments: [
      ("Package.swift", true), ("Package@swift-6.swift", true), ("Package@swift-5.10.swift", true),
      ("Package.resolved", false), ("Packages.swift", false), ("Package@swift-6.swift.orig", false), ("", false),
    ])
  func names(name: String, isManifest: Bool) {
    #expect(PackageManifests.isManifest(name) == isManifest)
  }

  @Test(
    "A dependency or a binary target in any variant may have to be fetched",
    arguments: [
      ".package(url: \"https://example.org/A.git\", from: \"1.0.0\")", ".package (path: \"A\")",
      "Package.Dependency.package(id: \"a.b\", exact: \"1.0.0\")", "names.map(Package.Dependency.package)",
      ".binaryTarget(name: \"B\", url: \"https://example.org/b.zip\", checksum: \"0\")", "x = .package",
    ])
  func fetching(text: String) {
    #expect(own(text).needFetching)
    #expect(own("let package = Package(name: \"A\")", text).needFetching)
    #expect(own(text).dependOnPackages == !text.contains("binaryTarget"))
  }

  @Test(
    "A manifest without them needs nothing",
    arguments: [
      "", ".target(name: \"A\", path: Context.packageDirectory)", ".product(name: \"A\", package: \"B\")",
      "package.dependencies", ".packages(", ".package_(", ".binaryTargets",
    ])
  func nothing(text: String) {
    #expect(!own(text).needFetching)
  }

  @Test(
    "A manifest that may read files is told by what it names",
    arguments: [
      ("import PackageDescription\nlet x = 1", false), ("import class Foundation.ProcessInfo", false),
      ("import Foundation\nlet ci = ProcessInfo.processInfo.environment[\"CI\"]", false),
      ("import Foundation\nlet flags = try String(contentsOfFile: \"flags.txt\", encoding: .utf8)", true),
      ("import Foundation\nlet isThere = FileManager.default.fileExists(atPath: \"x\")", true),
      ("import Glibc\nlet isThere = access(\"x\", F_OK) == 0", true),
      ("import PackageDescription\n// Data is access to the contents", false),
    ])
  func reading(text: String, readsFiles: Bool) {
    #expect(own(text).mayReadFiles == readsFiles)
    #expect(PackageManifests(own: [], others: own(text).own).mayReadFiles == readsFiles)
  }

  @Test(
    "A plan depends on more than texts where a manifest may read files or a target has plugins",
    arguments: [
      ("let package = Package(name: \"A\", targets: [.target(name: \"A\")])", false),
      (".target(name: \"A\", plugins: [\"Gen\"])", true),
      ("for target in package.targets { target.plugins = [] }", true),
      (".plugin(name: \"Gen\", capability: .buildTool())", false), ("import Glibc\nlet x = access(\"x\", F_OK)", true),
    ])
  func planning(text: String, dependsOnMore: Bool) {
    #expect(own(text).planDependsOnMore == dependsOnMore)
    #expect(PackageManifests(own: [], others: own(text).own).planDependsOnMore == dependsOnMore)
  }

  @Test(
    "A build depends on more than the checkout where a plan does, and where a manifest leads out of it",
    arguments: [
      ("let package = Package(name: \"A\", targets: [.target(name: \"A\")])", false),
      ("import Foundation\nlet isThere = FileManager.default.fileExists(atPath: \"/opt/x\")", true),
      (".target(name: \"A\", plugins: [\"Gen\"])", true), (".plugin(name: \"Gen\", capability: .buildTool())", true),
      (".systemLibrary(name: \"Z\")", true), ("[.unsafeFlags([\"-O\"])]", true), (".package(path: \"../Kit\")", true),
    ])
  func building(text: String, dependsOnMore: Bool) {
    #expect(own(text).buildDependsOnMore == dependsOnMore)
    #expect(PackageManifests(own: [], others: own(text).own).buildDependsOnMore == dependsOnMore)
  }

  @Test("What is compared changes with every text, place and stand-in")
  func contents() {
    let root = Manifest(path: "Package.swift", text: "a")
    let core = Manifest(path: "Packages/Core/Package.swift", text: "b")
    let all = [
      PackageManifests(own: [root]), PackageManifests(own: [root], others: [core]),
      PackageManifests(own: [root], others: [Manifest(path: core.path, text: "c")]),
      PackageManifests(own: [root], others: [Manifest(path: "Core/Package.swift", text: "b")]),
      PackageManifests(own: [root, Manifest(path: "Package@swift-6.swift", text: "b")]),
      PackageManifests(own: [root], others: [core], names: ["Libraries/Kit 1234"]),
      PackageManifests(own: [root], others: [core], names: ["Libraries/Kit 5678"]),
    ]
    #expect(Set(all.map(\.contents)).count == all.count)
    #expect(all[1].contents == ["Package.swift", "a", "Packages/Core/Package.swift", "b"])
  }

  @Test("Words are looked for in the manifests of other packages, too")
  func words() {
    let manifests = PackageManifests(
      own: [Manifest(path: "Package.swift", text: "a b")], others: [Manifest(path: "Core/Package.swift", text: "c")])
    #expect(manifests.contain(anyOf: ["x", "c"]))
    #expect(manifests.contain(anyOf: ["a b"]))
    #expect(!manifests.contain(anyOf: ["x", "y"]))
    #expect(!manifests.contain(anyOf: []))
  }

  @Test(
    "A path leads outside where it is absolute, goes up, or is not a plain literal",
    arguments: [
      (#".target(name: "A", path: "Sources/A")"#, false), (#".package(path: "Core")"#, false), ("", false),
      (#".package(path: "../Kit")"#, true), (#".package(path:"/opt/Kit")"#, true),
      (#".package(path:\n  "/opt/Kit")"#, true),
      (#".package(path : "../Kit")"#, true), (".package(path: local)", true), (#".package(path: "\(root)/Kit")"#, true),
    ])
  func pathsOutside(text: String, isOutside: Bool) {
    let text = text.replacing(#"\n"#, with: "\n")
    let other = Manifest(path: "Core/Package.swift", text: text)
    #expect(PackageManifests(own: [Manifest(path: "Package.swift", text: text)]).namePathsOutside == isOutside)
    #expect(PackageManifests(own: [], others: [other]).namePathsOutside == isOutside)
  }

  @Test("Packages are followed by the paths that name them, there and back, and fixtures are not")
  func named() {
    let app = Manifest(path: "App/Package.swift", text: #".package(path: "../Core"), .package(name: "X", path: "Own")"#)
    let core = Manifest(path: "Core/Package.swift", text: #".package(path : "../App/"), .package(path: "./Deep/Kit")"#)
    let kit = Manifest(path: "Core/Deep/Kit/Package@swift-6.swift", text: #".package(path: "/Fixture")"#)
    let inside = Manifest(path: "App/Own/Package.swift", text: #".package(path: "../../Core")"#)
    let fixture = Manifest(path: "Fixture/Package.swift", text: #".package(path: "../Core")"#)
    let manifests = PackageManifests(own: [app], others: [core, kit, fixture, inside])
    #expect(manifests.named == [app, core, inside, kit])
  }

  @Test("Dependencies outside the sandbox are found from the folder of the manifest that names them, each once")
  func outside() {
    let manifests = [
      Manifest(path: "Package.swift", text: #".package(path: "Core"), .package(path: "../Kit")"#),
      Manifest(path: "Core/Package.swift", text: #".package(path: "../../Kit"), .package(path: "../../Other")"#),
      Manifest(path: "Core/Deep/Package.swift", text: #".package(url: "git@example.org:a/b.git", from: "1.0.0")"#),
    ]
    let found = OutsideDependencies(manifests, in: "/w/source/Shop", reachable: ["/w/source/Shop"])
    #expect(found.strays == ["../Kit", "../../Kit", "../../Other"])
    #expect(found.needsKeys)
    #expect(!OutsideDependencies(Array(manifests.prefix(2)), in: "/w/source/Shop", reachable: ["/w"]).needsKeys)
    #expect(OutsideDependencies(manifests, in: "/w/source/Shop", reachable: ["/w"]).paths == [])
  }
}
