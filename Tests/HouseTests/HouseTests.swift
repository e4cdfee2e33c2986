import FoundationEssentials
import Testing

/// The rules of the house, held against the repository; each rule is tried on small samples in a suite of its own.
@Suite("The house")
struct HouseTests {

  private func importRules() throws -> ImportRules {
    ImportRules(
      table: TargetTable(try House.text(TargetTable.file)),
      manifest: PackageManifest(try House.text("Package.swift")),
      sources: try House.sources())
  }

  @Test("The table of targets in CONTRIBUTING.md and the manifest agree")
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
    House.expectNone((try House.sources() + House.tests()).flatMap(SizeRules.violations(ofFile:)))
    House.expectNone(try House.sources().flatMap(SizeRules.violations(ofFunctionsIn:)))
  }

  @Test("Files have names that say what is in them")
  func names() throws {
    House.expectNone((try House.sources() + House.tests()).flatMap(NameRules.vagueness))
    House.expectNone(try House.sources().flatMap(NameRules.mismatch))
  }

  @Test("No two types share a name")
  func twins() throws {
    House.expectNone(NameRules.twins(in: try House.sources()))
  }

  @Test("Pages give what their templates show, and nothing else")
  func templates() throws {
    let templates = try House.files(under: "templates", suffix: ".mustache").map { ($0, try House.text($0)) }
    // Exports are made of formats' keys, without templates.
    let sources = try House.sources().filter {
      $0.path.hasPrefix("Sources/Rendering/") && !$0.path.hasPrefix("Sources/Rendering/Exports/")
    }
    House.expectNone(TemplateRules(templates: templates, sources: sources).violations())
  }

  @Test("No decision compares or cuts a sentence")
  func sentences() throws {
    House.expectNone(try House.sources().flatMap(SentenceRules.violations))
  }

  @Test("Sentences for people are made in one place")
  func sentencesInOnePlace() throws {
    House.expectNone(try House.sources().flatMap(SentenceRules.sentences))
  }

  @Test("No file holds a path of somebody's machine")
  func machinePaths() throws {
    for suffix in [".swift", ".c", ".h", ".md", ".log", ".txt", ".json", ".jsonl", ".html", ".xml"] {
      for path in try House.files(under: "Sources", suffix: suffix) + House.files(under: "Tests", suffix: suffix) {
        House.expectNone(TextRules.machinePaths(in: path, try House.text(path)))
      }
    }
    for path in ["README.md", ".github/SECURITY.md", "Package.swift", GuideRules.file, VersionRules.changelog] {
      House.expectNone(TextRules.machinePaths(in: path, try House.text(path)))
    }
  }

  @Test("Nothing lies at the top level but what a reader looks for there")
  func topLevel() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: House.root).filter { !$0.hasPrefix(".") }
    #expect(
      names.sorted() == [
        "LICENSE", "Package.swift", "README.md", "Sources", "Tests", "bots", "script", "templates",
      ])
  }

  @Test("A way around the compiler has its reason beside it")
  func dangers() throws {
    House.expectNone((try House.sources() + House.tests()).flatMap(TextRules.unexplainedDangers))
  }

  @Test("A reminder says when it is due")
  func reminders() throws {
    House.expectNone((try House.sources() + House.tests()).flatMap(TextRules.openReminders))
  }

  @Test("The files and types that CONTRIBUTING.md names are there")
  func guide() throws {
    let rules = GuideRules(
      text: try House.text(GuideRules.file),
      targets: Set(PackageManifest(try House.text("Package.swift")).targets.map(\.name)),
      sources: try House.sources() + House.tests(),
      exists: { FileManager.default.fileExists(atPath: "\(House.root)/\($0)") })
    #expect(rules.named.count >= 10)
    House.expectNone(rules.violations())
  }

  @Test("The version is said in one place, and the changelog begins with it")
  func version() throws {
    let others =
      try House.files(under: "templates", suffix: ".mustache") + ["README.md", "script/install", "script/release"]
    let files = try House.files(under: "Sources", suffix: ".swift") + others
    let texts = try files.map { (path: $0, text: try House.text($0)) }
    House.expectNone(VersionRules.violations(in: texts, changelog: try House.text(VersionRules.changelog)))
  }
}
