import Model
import Testing

@testable import Rendering

@Suite("The coverage document")
struct CoverageDocumentTests {
  @Test("What was written is read back the same")
  func roundTrip() throws {
    let document = try #require(CoverageDocument(ExportSample.integration))
    #expect(try CoverageDocument(reading: Array(document.text.utf8)) == document)
    #expect(!document.text.contains("setAside"))
    #expect(document.files.map(\.path).allSatisfy { $0.hasPrefix("pkg/Sources/") })
  }

  @Test("What the package's own file leaves out is kept for gates, and is in no figure")
  func setAside() throws {
    var integration = ExportSample.integration
    var coverage = try #require(integration.coverage.coverage)
    let aside = coverage.files.removeLast()
    coverage.setAside = [aside]
    integration.coverage = .available(coverage)
    let document = try #require(CoverageDocument(integration))
    let read = try CoverageDocument(reading: Array(document.text.utf8))
    #expect(read == document)
    #expect(read.totals == coverage.totals)
    let again = try #require(read.coverage(beneath: integration.packagePath))
    #expect(again.setAside.map(\.path) == [aside.path])
    #expect(again.judged.files.map(\.path) == (coverage.files + [aside]).map(\.path).sorted())
    #expect(again.judged.totals == coverage.totals + aside.totals)
  }

  @Test("A counter that was driven below zero says that the code ran", arguments: [UInt64.max, UInt64(Int64.max)])
  func underflow(count: UInt64) throws {
    var integration = ExportSample.integration
    let path = "Sources/A.swift"
    let file = ExportSample.file(path, "A", counts: [9: count], partial: [], functions: [("f()", 9, count)])
    integration.coverage = .available(Coverage(files: [file]))
    let document = try #require(CoverageDocument(integration))
    #expect(document.files[0].lines == [LineCoverage(line: 9, count: 1, state: .ran)])
    #expect(document.files[0].functions[0].count == 1 && document.files[0].functions[0].regions[0].count == 1)
    // Earlier versions wrote it as it came.
    var earlier = document
    earlier.files[0].lines[0].count = count
    earlier.files[0].functions[0].count = count
    earlier.files[0].functions[0].regions[0].count = count
    #expect(try CoverageDocument(reading: Array(earlier.text.utf8)) == document)
  }

  @Test("An integration without coverage has no such document")
  func none() {
    #expect(CoverageDocument(ExportSample.buildErrors) == nil)
  }

  @Test("No function is exported without a name: the mangled one stands for it, and words where there is neither")
  func namelessFunctions() throws {
    var integration = ExportSample.integration
    var file = ExportSample.file("Sources/main.swift", "Tool", counts: [12: 0], partial: [], functions: [("", 12, 0)])
    file.functions[0].symbol = "$s4mainSbSi_SitXEfU_"
    integration.coverage = .available(Coverage(files: [file]))
    var document = try #require(CoverageDocument(integration))
    #expect(document.files[0].functions.map(\.name) == ["$s4mainSbSi_SitXEfU_"])
    // Earlier versions wrote such names.
    document.files[0].functions[0].name = ""
    document.files[0].functions.append(document.files[0].functions[0])
    document.files[0].functions[1].line = 14
    let export = IntegrationExport(IntegrationRecord(integration), coverage: document)
    let records = try export.text(as: .lcov).split(separator: "\n").filter { $0.hasPrefix("FN") }
    #expect(
      records == [
        "FN:12,unnamed at line 12", "FN:14,unnamed at line 14", "FNDA:0,unnamed at line 12",
        "FNDA:0,unnamed at line 14",
        "FNF:2", "FNH:0",
      ])
  }

  @Test("A document cut at any byte is refused or the same, and never traps")
  func truncated() throws {
    let document = try #require(CoverageDocument(ExportSample.integration))
    let bytes = Array(document.text.utf8)
    for end in bytes.indices.dropLast() {
      let read = try? CoverageDocument(reading: Array(bytes[..<end]))
      #expect(read == nil || read == document)
    }
  }

  @Test(
    "Lines out of order, beyond every source or of a wrong shape are refused",
    arguments: [
      "[[4,1],[3,1]]", "[[3,1],[3,1]]", "[[0,1]]", "[[18446744073709551615,1]]", "[[1073741824,1],[1073741825,1]]",
      "[[3]]", "[[3,1,2]]",
    ])
  func lines(hits: String) {
    let text = """
      {"schema":"martlet.coverage/1","bot":"A","number":1,"commit":"2dbc891","package":".","available":true,
       "complete":true,"files":[{"path":"A.swift","target":"A","lines":{"total":1,"covered":1,"partial":0},
       "regions":{"total":1,"covered":1},"functions":{"total":1,"covered":1},"hits":\(hits),"partlyRan":[],"calls":[]}]}
      """
    #expect(
      throws: ExportError(
        "cannot read coverage.json: the lines of A.swift are not in order. Integrate the commit again to have it written anew."
      )
    ) { try CoverageDocument(reading: Array(text.utf8)) }
  }

  @Test("A document of another kind is refused by name")
  func otherSchema() {
    let text = """
      {"schema":"martlet.coverage/2","bot":"A","number":1,"commit":"2dbc891","package":".","available":true,"complete":true}
      """
    #expect(
      throws: ExportError(
        "cannot read coverage.json: it says that it is martlet.coverage/2, not martlet.coverage/1. Integrate the commit again to have it written anew."
      )
    ) { try CoverageDocument(reading: Array(text.utf8)) }
  }
}
