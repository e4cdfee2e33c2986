import Model
import Testing

@testable import Parsing

@Suite("Reading llvm-cov's export while it comes")
struct CoverageExportStreamTests {
  private func stream(_ bytes: [UInt8], by size: Int, step: Int) -> CoverageExportStream {
    var stream = CoverageExportStream(step: step)
    var rest = bytes[...]
    while !rest.isEmpty {
      stream.add(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return stream
  }

  private func expectEqual(_ one: CoverageExport, _ other: CoverageExport) {
    #expect(one.version == other.version)
    #expect(one.files == other.files)
    #expect(one.functions == other.functions)
    #expect(one.segments == other.segments)
    #expect(one.regions == other.regions)
    #expect(one.names == other.names)
  }

  @Test(
    "It is the same, wherever it is cut",
    arguments: CoverageFixture.cases, [(size: 7, step: 1), (size: 1000, step: 900), (size: 65_536, step: 1 << 17)])
  func cuts(name: String, cut: (size: Int, step: Int)) throws {
    let bytes = try CoverageFixture.bytes("\(name).json")
    // Reading on after each few bytes is slow.
    let shown = cut.step == 1 && bytes.count > 60_000 ? (size: 4096, step: 4096) : cut
    var stream = stream(bytes, by: shown.size, step: shown.step)
    #expect(stream.bytes == bytes)
    expectEqual(try stream.finish(), try CoverageExport.read(bytes))
  }

  @Test("A file name in what is left that is as long as the last one is no name in other bytes")
  func rest() throws {
    let function = #"{"name":"f","count":0,"filenames":["/p/a.swift"],"regions":[]}"#
    let many = Array(repeating: function, count: 300).joined(separator: ",")
    let text =
      #"{"data":[{"files":[],"functions":["# + many
      + #"],"totals":{}},{"functions":[{"name":"g","count":0,"filenames":["/p/b.swift"],"regions":[]}]}],"#
      + #""type":"llvm.coverage.json.export","version":"3.0.1"}"#
    var stream = stream(Array(text.utf8), by: 4096, step: 4096)
    expectEqual(try stream.finish(), try CoverageExport.read(Array(text.utf8)))
  }

  @Test("Files and functions are read before the end has come")
  func early() throws {
    let bytes = try CoverageFixture.bytes("area.json")
    let stream = stream(Array(bytes.dropLast(400)), by: 500, step: 500)
    #expect(stream.done > bytes.count / 2)
  }

  @Test(
    "What LLVM does not write like that is read as a whole",
    arguments: [
      #"{"data": [{"files":[]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#,
      #"{"type":"llvm.coverage.json.export","version":"3.0.1","data":[{"files":[],"functions":[],"totals":{}}]}"#,
      #"{"data":[{"files":[{"filename":"}],\"functions\":[","segments":[]}],"functions":[],"totals":{}}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#,
      #"{"data":[{"files":[{"filename":"a","segments":[],"new":[{"b":1},{"c":2}]}],"functions":[{"name":"f","filenames":[],"regions":[]}],"totals":{}}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#,
    ])
  func unusual(text: String) throws {
    var stream = stream(Array(text.utf8), by: 10, step: 10)
    expectEqual(try stream.finish(), try CoverageExport.read(Array(text.utf8)))
  }

  @Test(
    "What is wrong is said as if it had been read as a whole",
    arguments: [
      "", "{}", #"{"data":[{"files":["#, #"{"data":[{"files":[{"filename":"a","segments":[[1,2]]}],"functions":[]}]}"#,
      #"{"data":[{"files":[{"filename":"a","segments":[]}],"functions":[{"name":"f"}],"totals":{}}],"version":"4.0.0"}"#,
      #"{"data":[{"files":[{"filename":"a","segments":[]}],"functions":[{"name":"f"}],"totals":{}}]"#,
    ])
  func errors(text: String) {
    func message(_ body: () throws -> CoverageExport) -> String {
      do {
        return "read \(try body().files.count) files"
      } catch {
        return "\(error)"
      }
    }
    var stream = stream(Array(text.utf8), by: 10, step: 10)
    let found = message { try stream.finish() }
    #expect(found == message { try CoverageExport.read(Array(text.utf8)) } && found.hasPrefix("Cannot read"))
  }
}
