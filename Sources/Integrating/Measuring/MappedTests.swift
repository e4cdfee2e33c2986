import Glibc
import Model
import Parsing
import Processes

/// What the tests of all processes counted that were looked at.
struct MappedTests {
  var processes: [MappedProcess] = []
  /// Why some tests are missing, as sentences.
  var gaps: [String] = []
}

extension IntegrationRun {
  /// Which tests ran which lines; nil where nobody asked.
  func testMap(
    of mapped: MappedTests?, _ products: BuildProducts, _ files: [FileCoverage], _ selection: SourceSelection
  ) throws -> Answer<TestMap>? {
    guard let mapped else { return nil }
    guard !mapped.processes.isEmpty else {
      return .unknown(reason: "the counters of the tests did not come by the observer")
    }
    do {
      var mapping = TestMapping()
      mapping.gaps = mapped.gaps
      for process in mapped.processes { try mapping.add(process.counted, parts: process.counters) }
      for image in products.images { try mapping.add(image: contents(of: image)) }
      return .known(mapping.map(of: files, selection))
    } catch {
      return .unknown(reason: "\(error)")
    }
  }

  private func contents(of image: String) throws -> [UInt8] {
    let parts = image.split(separator: "/")
    guard let name = parts.last, let bytes = Folder("/" + parts.dropLast().joined(separator: "/")).read(String(name))
    else { throw CoverageFailure(description: "the program \(image) cannot be read") }
    return bytes
  }
}
