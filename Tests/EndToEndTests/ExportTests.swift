import FoundationEssentials
import Integrating
import Model
import Rendering
import Testing

/// `martlet export` on integrations that are already kept.
@Suite("Exporting")
struct ExportTests {
  /// A home with finished integrations of two bots, and one of the first that is still running.
  private func home() throws -> (scratch: ScratchFolder, program: Program) {
    let scratch = try ScratchFolder()
    for (bot, number) in [("Shop", 1), ("Shop", 2), ("Shop", 10), ("Chapel", 1)] {
      try scratch.write(try document(bot, number), to: "home/integrations/\(bot)/\(number)/integration.json")
    }
    try scratch.write("", to: "home/integrations/Shop/11/log/building.log")
    return (scratch, Program(scratch: scratch))
  }

  private func document(_ bot: String, _ number: Int, coverage: Coverage? = nil) throws -> String {
    let date = Date(timeIntervalSince1970: 1_795_162_325)
    var integration = Integration(
      bot: bot, number: number, repository: "/srv/git/\(bot).git", branch: "main",
      commit: Commit(id: CommitID(rawValue: "2dbc891"), summary: "Sell", author: "mira", date: date), cause: .commit,
      toolchain: "Swift version 6.3.1", configuration: "debug", sandbox: "off", queuedAt: date, repeatCommand: "")
    integration.outcome = .succeeded
    if let coverage { integration.coverage = .available(coverage) }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return String(decoding: try encoder.encode(IntegrationRecord(integration)), as: UTF8.self)
  }

  private func title(_ run: Program.Run) -> String? {
    run.output.split(separator: "\n").first { $0.hasPrefix("## ") }.map(String.init)
  }

  @Test("A bot alone means its newest finished integration, a number that one, a folder the one it holds")
  func operands() throws {
    let (scratch, program) = try home()
    let words = [("Shop", 10), ("Shop/2", 2), ("home/integrations/Shop/1", 1), ("./home/integrations/Shop/1/", 1)]
    for (operand, number) in words {
      let run = try program.run("export", operand, "--format", "markdown")
      #expect(run.status == 0, "\(run.errors)")
      #expect(title(run) == "## Shop \(number): succeeded")
    }
    let folder = scratch.file("home/integrations/Chapel/1")
    #expect(title(try program.run("export", folder, "--format", "markdown")) == "## Chapel 1: succeeded")
  }

  @Test("Without an operand it is the newest integration of the package around the current folder")
  func repository() throws {
    let (scratch, program) = try home()
    let git = try GitFolder("Shop", in: scratch)
    try git.commit("Sell", ["Sources/Shop.swift": ""])
    let missing = try program.run("export", "--format", "markdown", in: scratch.file("Shop/Sources"))
    #expect(missing.status == 2)
    #expect(
      missing.errors
        == "error: no integration of the package around \(scratch.file("Shop/Sources")) is kept in \(scratch.file("home")). Run 'martlet run' first, or name one as BOT/N. See 'martlet help export'.\n"
    )
    let common = try git.git("rev-parse", "--path-format=absolute", "--git-common-dir")
    try scratch.write(common, to: "home/integrations/Shop/repository")
    let run = try program.run("export", "--format", "markdown", in: scratch.file("Shop/Sources"))
    #expect(title(run) == "## Shop 10: succeeded", "\(run.errors)")
    try git.commit("Add a package", ["Lib/Package.swift": "", "Package.swift": ""])
    let other = try program.run("export", "--format", "markdown", in: scratch.file("Shop/Lib"))
    #expect(other.status == 2)
    #expect(other.errors.hasPrefix("error: no integration of the package around \(scratch.file("Shop/Lib")) is kept"))
  }

  @Test(
    "A wrong word is refused with what was meant",
    arguments: [
      (["Shap"], "unknown bot 'Shap'; did you mean 'Shop'? See 'martlet help export'."),
      (["Zebra"], "unknown bot 'Zebra'. It is one of: Chapel, Shop. See 'martlet help export'."),
      (["../Shop"], nil),
      (
        ["Shop/11"],
        "Shop has no finished integration '11'. There are Shop/10, Shop/2 and Shop/1. See 'martlet help export'."
      ),
      (
        ["Shop/x"],
        "Shop has no finished integration 'x'. There are Shop/10, Shop/2 and Shop/1. See 'martlet help export'."
      ),
      (["Shop", "--badge", "tests"], "'--badge' goes with '--format badge' only. See 'martlet help export'."),
    ])
  func mistakes(words: [String], message: String?) throws {
    let (_, program) = try home()
    let run = try program.run(["export", "--format", "markdown"] + words)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    if let message { #expect(run.errors == "error: \(message)\n") }
  }

  @Test("An export without format names the formats")
  func formatIsMissing() throws {
    let (_, program) = try home()
    let run = try program.run("export", "Shop")
    #expect(run.status == 2)
    #expect(
      run.errors
        == "error: '--format' is missing; it is one of: junit, lcov, cobertura, sonar, codecov, sarif, json, csv, markdown, badge, github. See 'martlet help export'.\n"
    )
  }

  @Test("A damaged document is refused by its path")
  func damaged() throws {
    let (scratch, program) = try home()
    try scratch.write("{\"schema\":", to: "report/integration.json")
    let run = try program.run("export", "report", "--format", "junit")
    #expect(run.status == 2)
    #expect(
      run.errors
        == "error: cannot read \(scratch.file("report"))/integration.json: it is not a complete martlet.integration/1 document. Integrate the commit again to have it written anew.\n"
    )
  }

  @Test("Damaged coverage stops only the formats that speak of it")
  func damagedCoverage() throws {
    let (scratch, program) = try home()
    try scratch.write("{", to: "home/integrations/Shop/2/coverage.json")
    #expect(try program.run("export", "Shop/2", "--format", "junit").status == 0)
    let run = try program.run("export", "Shop/2", "--format", "lcov")
    #expect(run.status == 2)
    #expect(
      run.errors
        == "error: \(scratch.file("home/integrations/Shop/2")): cannot read coverage.json: it is damaged or no such document. Integrate the commit again to have it written anew.\n"
    )
  }

  @Test("A format that the integration has nothing for ends with status 2, and leaves no file")
  func nothingToSay() throws {
    let (scratch, program) = try home()
    let run = try program.run("export", "Shop/1", "--format", "lcov", "--output", "lcov.info")
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(!scratch.exists("lcov.info"))
  }

  @Test("--output writes the same bytes to a file, and refuses what is no file")
  func output() throws {
    let (scratch, program) = try home()
    let run = try program.run("export", "Shop/1", "--format", "junit")
    #expect(try program.run("export", "Shop/1", "--format", "junit", "--output", "junit.xml").status == 0)
    #expect(try scratch.read("junit.xml") == run.output)
    let refused = try program.run("export", "Shop/1", "--format", "junit", "--output", "home")
    #expect(refused.status == 2)
    #expect(
      refused.errors
        == "error: cannot write \(scratch.file("home")): it is not a regular file. Name a file with --output, or leave it out for standard output.\n"
    )
    let lost = try program.run("export", "Shop/1", "--format", "junit", "--output", "none/junit.xml")
    #expect(lost.status == 3)
    #expect(
      lost.errors
        == "error: cannot write \(scratch.file("none/junit.xml")): No such file or directory. Name another file with --output.\n"
    )
  }

  @Test("A terminal is shown the signs without shape in a file's name, a file has them as they are")
  func terminal() throws {
    let (scratch, program) = try home()
    let path = "Sources/\u{202E}Shop.swift"
    let file = FileCoverage(
      path: path, target: "Shop", lines: [], deadStretches: [], functions: [], totals: CoverageTotals(),
      llvmLines: Tally())
    try scratch.write(
      try document("Shop", 2, coverage: Coverage(files: [file])), to: "home/integrations/Shop/2/integration.json")
    let words = ["export", "Shop/2", "--format", "csv"]
    #expect(try program.run(words).output.contains("\n\(path),Shop,"))
    let shown = try Program.run(
      "/usr/bin/script", ["-qec", ([Program.path] + words).joined(separator: " "), "/dev/null"],
      environment: program.variables, in: scratch.path)
    #expect(shown.output.contains("Sources/⟨U+202E⟩Shop.swift,Shop,"))
  }
}
