import Testing

@testable import Model

@Suite("What is said of what is not left out as was asked")
struct ExclusionRemarksTests {
  private func section(markers: Int, idle: [String] = []) -> IntegrationRecord.CoverageSection {
    var coverage = Coverage(files: [])
    coverage.exclusions = [
      CoverageExclusion(path: "A.swift", firstLine: 2, lastLine: 3, lines: LineTally(total: 1), by: "coverage:ignore")
    ]
    if markers > 0 {
      var open = CoverageExclusion(
        path: "A.swift", firstLine: 7, lastLine: 9, lines: LineTally(total: 3), by: "coverage:ignore-start")
      open.neverEnded = true
      coverage.exclusions.append(open)
    }
    coverage.idleExclusions = idle
    coverage.idleMarkers = (1..<max(1, markers)).map {
      IdleMarker(path: "B.swift", line: $0, marker: "coverage:ignore-end", reason: .endsNothing)
    }
    return IntegrationRecord.CoverageSection(.available(coverage))
  }

  @Test("Nothing, where all is as it was asked")
  func nothing() {
    #expect(section(markers: 0).exclusionRemarks == [])
    #expect(section(markers: 0).idleMarkers == nil)
  }

  @Test("Globs first, then what is never ended, then what has no effect")
  func order() {
    #expect(
      section(markers: 2, idle: ["Z/*"]).exclusionRemarks == [
        "Z/* matched no source that would count", "coverage:ignore-start at A.swift:7 is never ended",
        "coverage:ignore-end at B.swift:1 ends nothing that was started",
      ])
  }

  @Test("A marker that leaves out but the first line of a function is told with what it leaves")
  func onlyFirstLine() {
    var marker = CoverageExclusion(
      path: "A.swift", firstLine: 2, lastLine: 2, lines: LineTally(total: 1), by: "coverage:ignore")
    marker.onlyFirstLineOf = "third(_:)"
    #expect(
      IntegrationRecord.CoverageSection(.available(Coverage(files: [], exclusions: [marker]))).exclusionRemarks == [
        "coverage:ignore at A.swift:2 leaves out its own line, not the rest of third(_:)"
      ])
  }

  @Test("Of very many markers, the rest is counted")
  func many() {
    #expect(section(markers: 6).exclusionRemarks.last == "so it is with 1 more marker")
    #expect(section(markers: 9).exclusionRemarks.count == 6)
    #expect(section(markers: 9).exclusionRemarks.last == "so it is with 4 more markers")
  }
}
