import Testing

@testable import Model

@Suite("Sources without counters")
struct UnmeasuredSourcesTests {
  @Test(
    "Sources in C of own targets are told unless they have counters, and those of plugins, untested macros and what was not built; Swift without code and tests are not"
  )
  func counts() {
    func target(
      _ name: String, _ sources: [String], type: String = "library", isInTests: Bool = false
    ) -> PackageModel.Target {
      PackageModel.Target(name: name, type: type, path: "Sources/\(name)", sources: sources, isInTests: isInTests)
    }
    let package = PackageModel(
      name: "Pocket",
      targets: [
        target("Pocket", ["Coins.swift", "Names.swift"]), target("PocketC", ["sum.c", "deep/half.cpp", "main.m"]),
        target("Measured", ["all.c"]), target("PocketTests", ["helper.c"], type: "test"),
        target("PocketPlugin", ["plugin.swift", "More.swift"], type: "plugin"),
        target("PocketMacros", ["Empty.swift", "Tested.swift"], type: "macro", isInTests: true),
        target("OtherMacros", ["Macro.swift"], type: "macro"), target("Watch", ["Face.swift", "Crown.swift"]),
      ])
    let measured: Set = [
      "Sources/Pocket/Coins.swift", "Sources/PocketC/main.m", "Sources/Measured/all.c",
      "Sources/PocketMacros/Tested.swift",
    ]
    let unmeasured = package.unmeasuredSources(
      measured, unbuilt: ["Sources/Watch/Face.swift", "Sources/Watch/Crown.swift"])
    #expect(unmeasured.counts(.foreign) == ["PocketC": 2])
    #expect(unmeasured.counts(.plugin) == ["PocketPlugin": 2])
    #expect(unmeasured.counts(.macro) == ["OtherMacros": 1])
    #expect(unmeasured.counts(.unbuilt) == ["Watch": 2])
    #expect(unmeasured.counts() == ["PocketC": 2, "PocketPlugin": 2, "OtherMacros": 1, "Watch": 2])
    #expect(
      unmeasured.sources.first
        == UnmeasuredSources.Source(path: "Sources/PocketC/sum.c", target: "PocketC", kind: .foreign))
  }
}
