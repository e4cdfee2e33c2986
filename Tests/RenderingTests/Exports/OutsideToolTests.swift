import Foundation
import Testing

@testable import Rendering

/// The programs that exports are made for, where they are installed: Debian's lcov; pycobertura, diff-cover, junitparser
/// and sarif-tools from PyPI.
@Suite("Exports read by other programs")
struct OutsideToolTests {
  /// A folder with sources of the sample's names and one exported file; removed afterwards.
  private func inFolder(_ format: ExportFormat, _ name: String, _ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "martlet-export-\(UInt32.random(in: 0 ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    for path in ["Shop/Till.swift", "Shop/Größe.swift", "till/main.swift"] {
      let file = folder.appending(path: "pkg/Sources/\(path)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data((1...12).map { "// line \($0)\n" }.joined().utf8).write(to: file)
    }
    try Data(try ExportSample.export.text(as: format).utf8).write(to: folder.appending(path: name))
    try body(folder)
  }

  @Test("genhtml counts the same lines", .enabled(if: OutsideTool.isInstalled("genhtml")))
  func genhtml() throws {
    try inFolder(.lcov, "lcov.info") { folder in
      let run = try #require(OutsideTool("genhtml")).run(["--output-directory", "html", "lcov.info"], in: folder)
      #expect(run.status == 0, "\(run.output)")
      #expect(run.output.contains("57.1% (4 of 7 lines)"), "\(run.output)")
      #expect(!run.output.contains("WARNING"), "\(run.output)")
    }
  }

  @Test("pycobertura counts the same lines", .enabled(if: OutsideTool.isInstalled("pycobertura")))
  func pycobertura() throws {
    try inFolder(.cobertura, "coverage.xml") { folder in
      let run = try #require(OutsideTool("pycobertura")).run(["show", "coverage.xml"], in: folder)
      #expect(run.status == 0, "\(run.output)")
      let till = run.output.split(separator: "\n").first { $0.hasPrefix("pkg/Sources/Shop/Till.swift") }
      #expect(till?.split(separator: " ").suffix(2) == ["60.00%", "5-7"], "\(run.output)")
    }
  }

  @Test(
    "diff-cover finds the changed lines that never ran", .enabled(if: OutsideTool.isInstalled("diff-cover", "git")),
    arguments: [(ExportFormat.cobertura, "coverage.xml"), (.lcov, "lcov.info")])
  func diffCover(format: ExportFormat, name: String) throws {
    try inFolder(format, name) { folder in
      let git = try #require(OutsideTool("git"))
      let identity = ["-c", "user.name=Mira", "-c", "user.email=mira@example.org"]
      for words in [
        ["init", "--quiet", "--initial-branch=main"], ["add", "pkg"], identity + ["commit", "-qm", "First"],
      ] {
        #expect(try git.run(words, in: folder).status == 0)
      }
      let till = folder.appending(path: "pkg/Sources/Shop/Till.swift")
      try Data((1...12).map { $0 == 5 || $0 == 9 ? "changed\n" : "// line \($0)\n" }.joined().utf8).write(to: till)
      let run = try #require(OutsideTool("diff-cover")).run([name, "--compare-branch", "main"], in: folder)
      #expect(run.output.contains("pkg/Sources/Shop/Till.swift (50.0%): Missing lines 5"), "\(run.output)")
    }
  }

  @Test("junitparser counts the same tests", .enabled(if: OutsideTool.isInstalled("junitparser")))
  func junitparser() throws {
    try inFolder(.junit, "junit.xml") { folder in
      // It finds failures, and says so by its status.
      let run = try #require(OutsideTool("junitparser")).run(["verify", "junit.xml"], in: folder)
      #expect(run.status == 1, "\(run.output)")
      let merged = try #require(OutsideTool("junitparser")).run(["merge", "junit.xml", "merged.xml"], in: folder)
      #expect(merged.status == 0, "\(merged.output)")
      let text = try String(contentsOf: folder.appending(path: "merged.xml"), encoding: .utf8)
      let counts = #"tests="12" failures="1" errors="4" skipped="2""#
      #expect(try ExportSample.export.text(as: .junit).contains("<testsuites name=\"Shop\" \(counts)"))
      for count in counts.split(separator: " ") { #expect(text.prefix(300).contains(count), "\(text.prefix(300))") }
    }
  }

  @Test("sarif-tools lists every finding", .enabled(if: OutsideTool.isInstalled("sarif")))
  func sarif() throws {
    try inFolder(.sarif, "martlet.sarif") { folder in
      let run = try #require(OutsideTool("sarif")).run(["summary", "martlet.sarif"], in: folder)
      #expect(run.status == 0, "\(run.output)")
      #expect(run.output.contains("error: 5") && run.output.contains("warning: 1"), "\(run.output)")
    }
  }
}
