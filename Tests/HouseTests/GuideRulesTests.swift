import Testing

@Suite("Rules for the guide and the version")
struct GuideRulesTests {
  private func violations(_ text: String) -> [String] {
    let source = SwiftText(path: "Sources/Model/Step.swift", "package enum Step {}\nlet a = Stage()")
    return GuideRules(text: text, targets: ["Model"], sources: [source], exists: { $0 == "Sources/Model/" })
      .violations().map(\.description)
  }

  @Test("A file, a folder or a type that is not there is told with its line")
  func missing() {
    #expect(violations("`Step` of `Sources/Model/`, `swift test`, `Model`, `--quick`, `XML`, Stage") == [])
    #expect(
      violations("one\n`Stage` or `script/none --all`") == [
        ".github/CONTRIBUTING.md:2: there is no type 'Stage'",
        ".github/CONTRIBUTING.md:2: there is no file or folder 'script/none'",
      ])
  }

  @Test("A version that is not said once, or that the changelog lacks, is told")
  func version() {
    let declaration = (path: "a.swift", text: "static let version = \"1.2.3\"\n")
    func violations(_ more: [(path: String, text: String)] = [], _ changelog: String = "\n## 1.2.3 (May)\n## 1\n")
      -> [String]
    {
      VersionRules.violations(in: [declaration] + more, changelog: changelog).map(\.description)
    }
    #expect(violations() == [])
    #expect(violations([(path: "b", text: "martlet 1.2.3")]) == ["b: the version 1.2.3 is said here a second time"])
    #expect(violations([declaration]) == ["Sources: the version is declared 2 times, not once"])
    #expect(
      violations([], "## 1.2.4\n## 1.2.3\n")
        == [".github/CHANGELOG.md: the first heading of a version is not '## 1.2.3'"])
  }
}
