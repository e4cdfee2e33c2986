import Model
import Rendering
import Testing

@testable import Integrating

/// Where Swift Build leaves what, by folders as it makes them.
@Suite("What Swift Build leaves")
struct SwiftBuildEngineTests {
  private let scratch: Scratch
  private let engine: SwiftBuildEngine
  private let products = "build/out/Products/Debug-linux"
  private let objects = "build/out/Intermediates.noindex/Pack.build/Debug-linux"

  private let model = PackageModel(
    name: "Pack",
    targets: [
      .init(name: "Core", type: "library", path: "Sources/Core", sources: ["Core.swift"]),
      .init(name: "Loose", type: "library", path: "Sources/Loose", sources: ["Loose.swift"]),
      .init(name: "Elsewhere", type: "library", path: "Sources/Elsewhere", sources: ["Only.swift"]),
      .init(name: "Tool", type: "executable", path: "Sources/Tool", sources: ["main.swift"]),
      .init(name: "Generator", type: "plugin", path: "Plugins/Generator", sources: ["Generator.swift"]),
      .init(
        name: "My Tests", module: "My_Tests", type: "test", path: "Tests/My Tests", sources: ["A.swift"]),
      .init(name: "Maker", type: "macro", path: "Sources/Maker", sources: ["Maker.swift"]),
    ],
    products: [.init(name: "tool", kind: .executable, targets: ["Tool"])])

  init() throws {
    scratch = try Scratch()
    engine = SwiftBuildEngine(
      scratch: scratch.folder.folder("build"), configuration: "debug", named: "out/Products/Debug-linux")
  }

  private func write(_ text: String, to path: String) throws {
    let parts = path.split(separator: "/")
    try scratch.folder.folder(parts.dropLast().joined(separator: "/")).create().write(
      Array(text.utf8), to: String(parts[parts.count - 1]))
  }

  private func outcome() throws -> BuildProducts {
    let folder = try #require(engine.products)
    return try engine.outcome(in: folder, of: PackagePaths(scratch.file("Pack"))) { () throws(IntegrationStop) in model
    }
  }

  private func build() throws {
    for name in ["My Tests-test-runner", "My Tests.so", "Gone-test-runner", "Gone.so", "Core.o", "Loose.o", "tool"] {
      try write("code", to: "\(products)/\(name)")
    }
    let own = "\(objects)/My Tests.build/Objects-normal/x86_64"
    let place = scratch.file(own).replacing(" ", with: "\\ ")
    try write(
      "\(place)/A.o\n\(place)/Modules/My_Tests.o\n\(scratch.file(products))/Core.o\n",
      to: "\(own)/My Tests.LinkFileList")
    try write(
      "\(scratch.file("Pack"))/Tests/My\\ Tests/A.swift\n\(place)/Made.swift\n", to: "\(own)/My Tests.SwiftFileList")
  }

  @Test("The package tells which programs run tests; what no test holds counts as well")
  func outcomes() throws {
    try build()
    let built = try outcome()
    #expect(built.testExecutables.map(\.name) == ["My Tests"])
    #expect(built.testExecutables.map(\.path) == [scratch.file("\(products)/My Tests-test-runner")])
    #expect(built.images == [scratch.file("\(products)/My Tests.so")])
    #expect(built.looseObjects == ["Loose.o", "tool"].map { scratch.file("\(products)/\($0)") })
    #expect(built.unbuiltSources == ["Sources/Elsewhere/Only.swift"])
    #expect(built.objects == ["My_Tests": ["/Pack.build/Debug-linux/My Tests.build/Objects-normal/x86_64/A.o"]])
    #expect(built.index == scratch.file("build/out"))
  }

  @Test("A program that is not there is told, with what may help")
  func missing() throws {
    try build()
    try write("", to: "\(products)/My Tests.so")
    let stop = #expect(throws: IntegrationStop.self) { try outcome() }
    #expect(stop?.outcome == .internalError)
    #expect(
      stop?.reason.sentence
        == "Swift Build left no My Tests.so in \(scratch.file(products)), so the tests of My Tests cannot be run. 'martlet help toolchains' tells which toolchains were tried; 'build-system: native' builds otherwise."
    )
  }

  @Test("Tests that were built of another package's sources are not run")
  func foreign() throws {
    try build()
    try write(
      "/other/Pack/Tests/A.swift\n", to: "\(objects)/My Tests.build/Objects-normal/x86_64/My Tests.SwiftFileList")
    let stop = #expect(throws: IntegrationStop.self) { try outcome() }
    #expect(
      stop?.reason.sentence
        == "SwiftPM built My Tests of the sources in /other/Pack/Tests/A.swift instead of those in \(scratch.file("Pack")). Remove \(scratch.file("build")) and integrate again."
    )
  }

  @Test("The link of newer toolchains tells where the products are, and nothing leads out of the scratch folder")
  func place() throws {
    #expect(engine.products?.path == scratch.file(products))
    for named in ["../x", "/x", "a//b", ""] {
      let engine = SwiftBuildEngine(scratch: engine.scratch, configuration: "debug", named: named)
      #expect(engine.products == nil, "\(named)")
    }
    try engine.scratch.create().link("debug", to: "out/Products/Debug-linux-x86_64")
    #expect(engine.products?.path == scratch.file("\(products)-x86_64"))
  }

  @Test("What is forgotten before a build is of generated programs, and of plans where these hold resources")
  func forgotten() throws {
    let list = "\(objects)/MyTests-test-runner.build/Objects-normal/x86_64/primary.priors"
    let plan = "build/out/Intermediates.noindex/XCBuildData/1.xcbuilddata/manifest.json"
    for path in [list, plan, "\(objects)/MyTests.build/Objects-normal/x86_64/primary.priors"] {
      try write("a", to: path)
    }
    var engine = engine
    let inside = { (path: String) in String(path.dropFirst("build/".count)) }
    #expect(engine.stale(embedsResources: true) == [inside(list)])
    engine.missesEmbedded = true
    #expect(engine.stale(embedsResources: false) == [inside(list)])
    #expect(engine.stale(embedsResources: true) == [list, plan].map(inside))
  }

  @Test("Diagnostics are those of this configuration")
  func diagnostics() throws {
    let files = [
      "\(objects)/Core.build/Objects-normal/x86_64/Core.dia",
      "build/out/Intermediates.noindex/Pack.build/Release-linux/Core.build/Objects-normal/x86_64/Core.dia",
    ]
    for path in files { try write("a", to: path) }
    for named in ["out/Products/Debug-linux", nil] {
      let engine = SwiftBuildEngine(scratch: engine.scratch, configuration: "debug", named: named)
      #expect(engine.diagnosticFiles.map { $0.folder.file($0.name) } == files.prefix(1).map { scratch.file($0) })
    }
  }

  @Test("Sources that plugins and resources make are told from the lists of tests")
  func generated() throws {
    try write("a", to: "\(objects)/MyTests-test-runner.build/DerivedSources/test_entry_point.swift")
    #expect(!engine.generatesSources)
    try write("a", to: "\(objects)/Core.build/DerivedSources/resource_bundle_accessor.swift")
    #expect(engine.generatesSources)
  }
}
