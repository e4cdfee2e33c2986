import FoundationEssentials
import Model

/// Coverage in Cobertura's format: https://github.com/cobertura/web/blob/master/htdocs/xml/coverage-04.dtd
///
/// Targets become packages, and files classes. A partly run line counts as hit: the format can only express that with
/// branches, which Swift does not count. Where a compiler does, a line has two branches for each of its conditions.
enum CoberturaExport {
  static func text(_ coverage: CoverageDocument, timestamp: Date) -> String {
    let totals = lineTotals(of: coverage.files)
    let branches = branchTotals(of: coverage.files)
    var xml = XMLText()
    xml.declaration("<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">")
    xml.element(
      "coverage",
      [
        "line-rate": rate(totals), "branch-rate": rate(branches), "lines-covered": "\(totals.covered)",
        "lines-valid": "\(totals.total)", "branches-covered": "\(branches.covered)",
        "branches-valid": "\(branches.total)", "complexity": "0",
        "version": "martlet", "timestamp": "\(seconds(timestamp))",
      ]
    ) { xml in
      // The folder that the reader is started in, which is that of the repository.
      xml.element("sources", [:]) { $0.element("source", text: ".") }
      xml.element("packages", [:]) { xml in
        for files in coverage.files.grouped(by: \.target) { write(files[0].target, files, to: &xml) }
      }
    }
    return xml.text
  }

  private static func write(_ target: String, _ files: [CoverageDocument.File], to xml: inout XMLText) {
    xml.element(
      "package",
      [
        "name": target, "line-rate": rate(lineTotals(of: files)), "branch-rate": rate(branchTotals(of: files)),
        "complexity": "0",
      ]
    ) { xml in
      xml.element("classes", [:]) { xml in
        for file in files { write(file, to: &xml) }
      }
    }
  }

  private static func write(_ file: CoverageDocument.File, to xml: inout XMLText) {
    xml.element(
      "class",
      [
        "name": file.path.split(separator: "/").last.map(String.init) ?? file.path, "filename": file.path,
        "line-rate": rate(lineTotals(of: [file])), "branch-rate": rate(branchTotals(of: [file])), "complexity": "0",
      ]
    ) { xml in
      // Methods would contain the same lines again, and some readers add them up.
      xml.element("methods")
      let conditions = Dictionary(grouping: file.conditions, by: \.line)
      xml.element("lines", [:]) { xml in
        for line in file.lines { write(line, conditions[line.line] ?? [], to: &xml) }
      }
    }
  }

  private static func write(_ line: LineCoverage, _ conditions: [ConditionCoverage], to xml: inout XMLText) {
    let (number, hits) = ("\(line.line)", "\(line.count.fittingReaders)")
    guard let branches = conditions.branches else {
      return xml.element("line", ["number": number, "hits": hits, "branch": "false"])
    }
    let words = "\(percent(branches)) (\(branches.covered)/\(branches.total))"
    xml.element("line", ["number": number, "hits": hits, "branch": "true", "condition-coverage": words]) { xml in
      xml.element("conditions", [:]) { xml in
        for (index, condition) in conditions.enumerated() {
          xml.element(
            "condition", ["number": "\(index)", "type": "jump", "coverage": percent(condition.branches)])
        }
      }
    }
  }

  /// Returns the sums of the lines as written, so that the file is consistent.
  private static func lineTotals(of files: [CoverageDocument.File]) -> Tally {
    files.reduce(Tally()) { $0 + Tally(total: $1.lines.count, covered: $1.lines.count { $0.count > 0 }) }
  }

  /// Returns the sums of the branches as written.
  private static func branchTotals(of files: [CoverageDocument.File]) -> Tally {
    files.reduce(Tally()) { $0 + ($1.conditions.branches ?? Tally()) }
  }

  /// Returns a share as a whole percentage; 0 and 100 only if exact.
  private static func percent(_ tally: Tally) -> String {
    guard tally.total > 0, tally.covered > 0 else { return "0%" }
    return "\(max(tally.covered * 100 / tally.total, 1))%"
  }

  /// Returns a share from 0 to 1 with four digits; 0 and 1 only if exact.
  private static func rate(_ tally: Tally) -> String {
    guard tally.total > 0, tally.covered > 0 else { return "0" }
    guard tally.covered < tally.total else { return "1" }
    let digits = "\(min(max(tally.covered * 10_000 / tally.total, 1), 9999))"
    return "0." + String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func seconds(_ date: Date) -> Int {
    Int(min(max(date.timeIntervalSince1970, 0), 253_402_300_799))
  }
}
