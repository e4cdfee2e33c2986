import Testing

@Suite("Rules for imports")
struct ImportRulesTests {
  private let guide = """
    # Sample

    | other | table |
    |---|---|
    | `Nothing` | – |

    | target | one line | may import |
    |---|---|---|
    | `CThis` `CThat` | shims | – |
    | `Model` | nouns | – |
    | `Ground` | wraps `this` | `Model`, `CThis`, `CThat` |
    | `tool` | everything | any |

    | `Late` | after the table | – |
    """

  private let manifest = """
    let package = Package(
      name: "sample",
      products: [.executable(name: "tool", targets: ["tool"])],
      targets: [
        .systemLibrary(name: "CThis", pkgConfig: "this", providers: [.apt(["libthis-dev"])]),
        .target(name: "CThat"),
        .target(name: "Model", swiftSettings: settings),  // .target(name: "Comment")
        .target(
          name: "Ground",
          dependencies: ["Model", "CThis", "CThat"],
          swiftSettings: settings),
        .executableTarget(name: "tool", dependencies: ["Model", "Ground"]),
        .testTarget(name: "ModelTests", dependencies: ["Model"]),
        .target(name: "TestGround", dependencies: ["tool"], path: "Tests/TestGround"),
      ]
    )
    """

  private func rules(_ sources: [String: String] = [:], manifest: String? = nil) -> ImportRules {
    let all = ["Sources/Model/M.swift": "", "Sources/Ground/G.swift": "", "Sources/tool/main.swift": ""]
      .merging(sources) { $1 }
    return ImportRules(
      table: TargetTable(guide), manifest: PackageManifest(manifest ?? self.manifest),
      sources: all.sorted { $0.key < $1.key }.map { SwiftText(path: $0.key, $0.value) })
  }

  @Test("The table is read up to the next empty line")
  func table() {
    let table = TargetTable(guide)
    #expect(table.permissions.keys.sorted() == ["CThat", "CThis", "Ground", "Model", "tool"])
    #expect(table.permissions["CThis"] == .only([]))
    #expect(table.permissions["Ground"] == .only(["Model", "CThis", "CThat"]))
    #expect(table.permissions["tool"] == .any)
    #expect(table.lines["Ground"] == 11)
  }

  @Test("The manifest is read without running it")
  func readingTheManifest() {
    let targets = PackageManifest(manifest).targets
    #expect(targets.map(\.name) == ["CThis", "CThat", "Model", "Ground", "tool", "ModelTests", "TestGround"])
    #expect(targets.map(\.line) == [5, 6, 7, 8, 12, 13, 14])
    #expect(targets.map(\.path) == [nil, nil, nil, nil, nil, nil, "Tests/TestGround"])
    #expect(targets[3].dependencies == ["Model", "CThis", "CThat"])
    #expect(targets[4].kind == "executableTarget")
    #expect(targets[0].dependencies.isEmpty)
  }

  @Test("A package that keeps the rules has no violations")
  func good() {
    let rules = rules([
      "Sources/Ground/G.swift":
        "package import Model\nimport CThis; import Glibc\n@preconcurrency import struct CThat.S",
      "Sources/Model/M.swift": "// import CThis\nlet text = \"\"\"\nimport Nowhere\n\"\"\"",
    ])
    #expect(rules.violationsOfManifest() + rules.violationsOfCModules() + rules.violationsOfImports() == [])
  }

  @Test("An import that the table does not allow is told with file and line")
  func forbiddenImport() {
    let rules = rules([
      "Sources/Model/M.swift": "import Glibc\nimport Foundation\n",
      "Sources/tool/main.swift": "@testable import CThis",
    ])
    #expect(
      rules.violationsOfImports().map(\.description) == [
        "Sources/Model/M.swift:2: target 'Model' may not import 'Foundation'",
        "Sources/tool/main.swift:1: target 'tool' may not import 'CThis'",
      ])
  }

  @Test("A dependency that the table does not allow, a target it lacks and one it invents are told")
  func disagreement() {
    let other = """
      .systemLibrary(name: "CThis"),
      .target(name: "Model", dependencies: ["CThis"]),
      .target(name: "Extra"),
      .target(name: "CThat"),
      .executableTarget(name: "tool"),
      """
    #expect(
      rules(manifest: other).violationsOfManifest().map(\.description) == [
        "Package.swift:2: target 'Model' depends on 'CThis', which the table does not allow",
        "Package.swift:3: target 'Extra' is missing in the table of .github/CONTRIBUTING.md",
        ".github/CONTRIBUTING.md:11: the table names 'Ground', which is no target",
      ])
  }

  @Test("A C module that two targets or none depend on is told")
  func cModules() {
    let other = manifest.replacing("[\"Model\", \"Ground\"]", with: "[\"Model\", \"CThat\"]")
      .replacing("\"CThis\", \"CThat\"]", with: "\"CThat\"]")
    #expect(
      rules(manifest: other).violationsOfCModules().map(\.description) == [
        "Package.swift:5: no target depends on 'CThis'; exactly one Swift target may import a C module",
        "Package.swift:6: Ground, tool depend on 'CThat'; exactly one Swift target may import a C module",
      ])
  }
}
