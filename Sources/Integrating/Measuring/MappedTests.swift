import Model
import Parsing

/// The counters of the tests in all processes that were examined.
struct MappedTests {
  var processes: [MappedProcess] = []
  /// How the tests ended that ran once more, one after the other.
  var ends: [TestID: TestState] = [:]
  /// Why some tests are missing, as sentences.
  var gaps: [String] = []
}

extension IntegrationRun {
  /// Returns which tests ran which lines; nil if that was not requested.
  ///
  /// - Parameter valueNames: the readable names of the code that makes values, and of their properties.
  func testMap(
    of mapped: MappedTests?, _ programs: MappedPrograms?, valueNames: [String: String], _ files: [FileCoverage],
    _ selection: SourceSelection
  ) -> Answer<TestMap>? {
    guard let mapped else { return nil }
    guard let programs else { return .unknown(reason: "\(CoverageFailure.newFormat)") }
    guard !mapped.processes.isEmpty else {
      return .unknown(reason: "The counters of the tests did not come by the observer.")
    }
    var mapping = TestMapping(programs, demangled: valueNames)
    mapping.gaps = mapped.gaps
    do {
      for process in mapped.processes { try mapping.add(process.counted, parts: process.counters) }
    } catch {
      return .unknown(reason: "\(error)")
    }
    return .known(mapping.map(of: files, selection))
  }
}
