import Model
import Testing

@Suite("Sources without counters")
struct UnmeasuredSourcesTests {
  @Test("Sources in C of own targets are told unless they have counters; Swift without code and tests are not")
  func counts() {
    func target(_ name: String, _ sources: [String], type: String = "library") -> PackageModel.Target {
      PackageModel.Target(name: name, type: type, path: "Sources/\(name)", sources: sources)
    }
    let package = PackageModel(
      name: "Pocket",
      targets: [
        target("Pocket", ["Coins.swift", "Names.swift"]), target("PocketC", ["sum.c", "deep/half.cpp", "main.m"]),
        target("Measured", ["all.c"]), target("PocketTests", ["helper.c"], type: "test"),
      ])
    let measured: Set = ["Sources/Pocket/Coins.swift", "Sources/PocketC/main.m", "Sources/Measured/all.c"]
    #expect(package.unmeasuredSources(measured) == ["PocketC": 2])
  }
}
