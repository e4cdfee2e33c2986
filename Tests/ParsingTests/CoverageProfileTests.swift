import Parsing
import Testing

@Suite("Raw profiles")
struct CoverageProfileTests {
  private func input(_ path: String, _ byteCount: Int = 1000) -> ProfileMerge.Input {
    ProfileMerge.Input(path: path, byteCount: byteCount)
  }

  @Test("Truncated, foreign and empty profiles are rejected, each with its reason")
  func captured() throws {
    let merge = ProfileMerge(
      standardError: try CoverageFixture.bytes("profdata-warnings.txt"),
      inputs: [
        input("good.profraw"), input("truncated.profraw", 500), input("empty.profraw", 0),
        input("Swift Testing: odd.profraw", 14),
      ])
    #expect(merge.read == 1)
    #expect(
      merge.rejected.map { "\($0.path) – \($0.reason)" } == [
        "truncated.profraw – invalid instrumentation profile data (file header is corrupt)",
        "empty.profraw – the file is empty", "Swift Testing: odd.profraw – truncated profile data",
      ])
  }

  @Test("Without warnings every profile was read")
  func silence() {
    let merge = ProfileMerge(standardError: [], inputs: [input("a.profraw"), input("b.profraw")])
    #expect(merge.read == 2)
    #expect(merge.rejected.isEmpty)
  }

  @Test("A warning about one function does not reject the file, and a second line does not count twice")
  func functionWarnings() {
    let text = """
      warning: a.profraw: main: function control flow change detected (hash mismatch)
      warning: b.profraw: raw profile version mismatch: Profile uses raw profile format version = 99; expected version = 10
      PLEASE update this tool to version in the raw profile, or regenerate raw profile with expected version.
      warning: b.profraw: truncated profile data
      error: c.profraw: No such file or directory
      warning: unknown.profraw: truncated profile data
      """
    let merge = ProfileMerge(
      standardError: Array(text.utf8), inputs: [input("a.profraw"), input("b.profraw"), input("c.profraw")])
    #expect(merge.read == 1)
    #expect(merge.rejected.map(\.path) == ["b.profraw", "c.profraw"])
    #expect(merge.rejected.first?.reason.hasPrefix("raw profile version mismatch") == true)
  }

  @Test("Of two paths that both fit a warning, the longer one is meant")
  func ambiguousPaths() {
    let merge = ProfileMerge(
      standardError: Array("warning: a: b: truncated profile data\n".utf8), inputs: [input("a"), input("a: b")])
    #expect(merge.rejected.map(\.path) == ["a: b"])
  }
}
