import Testing

/// The rules of the house, held against the repository; each rule is tried on small samples in a suite of its own.
@Suite("The house")
struct HouseTests {

  private func importRules() throws -> ImportRules {
    ImportRules(
      table: TargetTable(readme: try House.text("README.md")),
      manifest: PackageManifest(try House.text("Package.swift")),
      sources: try House.swiftTexts(under: "Sources"))
  }

  @Test("The table of targets in README.md and the manifest agree")
  func manifest() throws {
    let rules = try importRules()
    #expect(rules.manifest.targets.count >= 10)
    House.expectNone(rules.violationsOfManifest())
  }

  @Test("Sources import only what the table allows")
  func imports() throws {
    House.expectNone(try importRules().violationsOfImports())
  }

  @Test("Each C module has exactly one Swift target that imports it")
  func cModules() throws {
    House.expectNone(try importRules().violationsOfCModules())
  }

  @Test("No Swift file and no function is too long to be read in one go")
  func sizes() throws {
    House.expectNone(try House.swiftTexts(under: "Sources", "Tests").flatMap(SizeRules.violations(ofFile:)))
    House.expectNone(try House.swiftTexts(under: "Sources").flatMap(SizeRules.violations(ofFunctionsIn:)))
  }

  @Test("Files have names that say what is in them")
  func names() throws {
    House.expectNone(try House.swiftTexts(under: "Sources", "Tests").flatMap(NameRules.vagueness))
    House.expectNone(try House.swiftTexts(under: "Sources").flatMap(NameRules.mismatch))
  }

  @Test("No decision compares or cuts a sentence")
  func sentences() throws {
    House.expectNone(try House.swiftTexts(under: "Sources").flatMap(SentenceRules.violations))
  }

  @Test("No file holds a path of somebody's machine")
  func machinePaths() throws {
    for suffix in [".swift", ".c", ".h", ".md", ".log", ".txt", ".json", ".jsonl", ".html", ".xml"] {
      for path in try House.files(under: "Sources", suffix: suffix) + House.files(under: "Tests", suffix: suffix) {
        House.expectNone(TextRules.machinePaths(in: path, try House.text(path)))
      }
    }
    for path in ["README.md", "Package.swift"] {
      House.expectNone(TextRules.machinePaths(in: path, try House.text(path)))
    }
  }

  @Test("A way around the compiler has its reason beside it")
  func dangers() throws {
    House.expectNone(try House.swiftTexts(under: "Sources", "Tests").flatMap(TextRules.unexplainedDangers))
  }

  @Test("A reminder says when it is due")
  func reminders() throws {
    House.expectNone(try House.swiftTexts(under: "Sources", "Tests").flatMap(TextRules.openReminders))
  }
}
