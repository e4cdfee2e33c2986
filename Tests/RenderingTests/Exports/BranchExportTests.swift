import Model
import Testing

@testable import Rendering

@Suite("Branches in exports")
struct BranchExportTests {
  private func text(_ format: ExportFormat) throws -> String {
    let integration = ConditionSample.report.integration
    return try IntegrationExport(IntegrationRecord(integration), coverage: CoverageDocument(integration))
      .text(as: format)
  }

  @Test("LCOV numbers branches as llvm-cov does, with dashes for what was not reached and on lines that never ran")
  func lcov() throws {
    let record = try #require(
      try text(.lcov).split(separator: "end_of_record").first { $0.contains("SF:Sources/tool/Kind.c\n") })
    #expect(
      record.split(separator: "\n").filter { $0.hasPrefix("BR") } == [
        "BRDA:2,0,0,0", "BRDA:2,0,1,2", "BRDA:3,0,0,0", "BRDA:3,0,1,2", "BRDA:3,1,2,-", "BRDA:3,1,3,-", "BRDA:5,0,0,0",
        "BRDA:5,0,1,2", "BRDA:6,0,0,2", "BRDA:6,0,1,0", "BRDA:8,0,0,1", "BRDA:8,0,1,1", "BRDA:9,0,0,-", "BRDA:9,0,1,-",
        "BRF:14", "BRH:6",
      ])
    #expect(try text(.lcov).split(separator: "end_of_record").filter { $0.contains("BRF") }.count == 1)
  }

  @Test("Codecov has how many branches of a line were taken, unless all were or the line never ran")
  func codecov() throws {
    #expect(
      try text(.codecov).contains(
        "\"Sources/tool/Kind.c\": "
          + "{\"1\":2,\"2\":\"1/2\",\"3\":\"1/4\",\"4\":2,\"5\":\"1/2\",\"6\":\"1/2\",\"7\":2,\"8\":2,\"9\":0}"))
  }

  @Test("A line that ran is no missed one in Codecov, though none of its branches was taken")
  func codecovWithoutBranch() throws {
    var integration = ConditionSample.report.integration
    var kind = ConditionSample.kind
    kind.conditions = [
      ConditionSample.condition(1, 3..<4, (0, 0)), ConditionSample.condition(2, 3..<4, (7, 1)),
      ConditionSample.condition(2, 8..<9, (1, 0)),
    ]
    integration.coverage = .available(Coverage(files: [kind]))
    let export = IntegrationExport(IntegrationRecord(integration), coverage: CoverageDocument(integration))
    #expect(
      try export.text(as: .codecov) == """
        {
          "coverage": {
            "Sources/tool/Kind.c": {"1":"1/2","2":"3/4","3":2,"4":2,"5":2,"6":2,"7":2,"8":2,"9":0}
          }
        }

        """)
  }

  @Test("Cobertura has the conditions of a line, and rates that agree with them")
  func cobertura() throws {
    let text = try text(.cobertura)
    #expect(text.contains("branch-rate=\"0.5000\" lines-covered=\"16\""))
    #expect(text.contains("branches-covered=\"7\" branches-valid=\"14\""))
    #expect(
      text.contains("<line number=\"3\" hits=\"2\" branch=\"true\" condition-coverage=\"25% (1/4)\">"))
    #expect(text.contains("<condition number=\"1\" type=\"jump\" coverage=\"0%\"/>"))
    #expect(text.contains("<line number=\"4\" hits=\"2\" branch=\"false\"/>"))
    #expect(text.contains("<package name=\"Greeter\" line-rate=\"0.6666\" branch-rate=\"0\""))
  }

  @Test("Figures are in the tables and documents, and empty where there are none")
  func figures() throws {
    let csv = try text(.csv).split(separator: "\n")
    #expect(csv[0].hasSuffix(",functions,functionsCovered,branches,branchesCovered"))
    #expect(csv.first { $0.hasPrefix("Sources/tool/Kind.c") }?.hasSuffix(",14,7") == true)
    #expect(csv.first { $0.hasPrefix("Sources/Greeter/Words/Words.swift") }?.hasSuffix(",,") == true)
    let markdown = try text(.markdown)
    #expect(markdown.contains("| Branches | 7 | 14 | 50.0% |"))
    #expect(markdown.contains("Branches are those of C, C++ and Objective-C; the Swift compiler records none."))
    let sonar = try text(.sonar)
    #expect(sonar.contains("lineNumber=\"3\" covered=\"true\" branchesToCover=\"4\" coveredBranches=\"1\"/>"))
    #expect(sonar.contains("lineNumber=\"4\" covered=\"true\"/>"))
    let section = IntegrationRecord(ConditionSample.report.integration).coverage
    #expect(section.branches == Tally(total: 14, covered: 7))
    #expect(section.files?.compactMap(\.branches).count == 1)
  }

  @Test("The document by lines gives the same exports when it is read again")
  func document() throws {
    let integration = ConditionSample.report.integration
    let json = try text(.json)
    let read = try CoverageDocument(reading: Array(json.utf8))
    #expect(read == CoverageDocument(integration))
    #expect(json.contains("\"conditions\":[[2,7,2,12,0,2],"))
    #expect(json.ranges(of: "\"conditions\"").count == 1)
    let broken = json.replacing("[[2,7,2,12,0,2],", with: "[[2,0,2,12,0,2],")
    let error = #expect(throws: ExportError.self) { try CoverageDocument(reading: Array(broken.utf8)) }
    #expect(
      "\(try #require(error))"
        == "cannot read coverage.json: a condition of Sources/tool/Kind.c has no place. "
        + "Integrate the commit again to have it written anew.")
  }
}
