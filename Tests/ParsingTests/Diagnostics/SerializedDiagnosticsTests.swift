import Model
import Parsing
import Testing

@Suite("Serialized diagnostics")
struct SerializedDiagnosticsTests {
  @Test(
    "A file gives the diagnostics that libclang finds in it",
    arguments: DiagnosticFixture.names(in: "dia", suffix: ".dia"))
  func agreesWithLibclang(name: String) throws {
    let diagnostics = try SerializedDiagnostics.read(
      DiagnosticFixture.bytes("dia/\(name).dia"), named: name, relativise: { _ in nil })
    #expect(DiagnosticFixture.render(diagnostics) == (try DiagnosticFixture.text("dia/\(name).txt")))
  }

  @Test("The fixtures are there")
  func fixtures() {
    #expect(DiagnosticFixture.names(in: "dia", suffix: ".dia").count == 13)
  }

  @Test("Paths inside the package become relative to it, others stay")
  func paths() throws {
    let inside = try DiagnosticFixture.serialized("garden-Beds", root: "/src/garden1")
    #expect(Set(inside.compactMap(\.location?.file)) == ["Sources/Core/Beds.swift"])
    let outside = try DiagnosticFixture.serialized("garden-Beds", root: "/elsewhere")
    #expect(Set(outside.compactMap(\.location?.file)) == ["/src/garden1/Sources/Core/Beds.swift"])
  }

  @Test("The Swift compiler's group and clang's option are the category")
  func categories() throws {
    let swift = try DiagnosticFixture.serialized("garden-Beds")
    #expect(Set(swift.compactMap(\.category)) == ["DeprecatedDeclaration", "no-usage"])
    let clang = try DiagnosticFixture.serialized("clang-c")
    #expect(
      clang.map(\.category) == ["-Wparentheses", "-Wformat", "-Wint-conversion"] + [
        "-Wunused-variable", "-Wunused-variable",
      ])
  }

  @Test("A message without a place has no location")
  func noPlace() throws {
    let diagnostics = try DiagnosticFixture.serialized("no-place")
    #expect(diagnostics == [Diagnostic(severity: .error, message: "bridging header 'nope.h' does not exist")])
  }

  @Test("A file without diagnostics is no error")
  func nothingToSay() throws {
    #expect(try DiagnosticFixture.serialized("clean-Mac").isEmpty)
  }
}
