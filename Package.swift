// swift-tools-version: 6.0
import PackageDescription

/// The house rules of the compiler, the same for every Swift target.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "martlet",
  products: [
    .executable(name: "martlet", targets: ["martlet"])
  ],
  targets: [
    // Ground: system libraries and the few C calls that Glibc's Swift module lacks.
    .systemLibrary(name: "CLibgit2", pkgConfig: "libgit2", providers: [.apt(["libgit2-dev"])]),
    .target(name: "CProcess"),

    // Ground: the nouns.
    .target(name: "Model", swiftSettings: settings),

    // Stages, in the order in which the data passes them.
    .target(name: "Git", dependencies: ["Model", "CLibgit2"], swiftSettings: settings),
    .target(name: "Processes", dependencies: ["CProcess"], swiftSettings: settings),
    .target(name: "Parsing", dependencies: ["Model"], swiftSettings: settings),
    .target(name: "Comparing", dependencies: ["Model"], swiftSettings: settings),
    .target(name: "Rendering", dependencies: ["Model"], swiftSettings: settings),
    .target(
      name: "Integrating",
      dependencies: ["Model", "Git", "Processes", "Parsing", "Comparing", "Rendering"],
      swiftSettings: settings),
    .executableTarget(
      name: "martlet",
      dependencies: ["Model", "Processes", "Integrating", "Rendering"],
      swiftSettings: settings),

    // Tests: one target per stage, the house itself, and the whole as a user sees it.
    .testTarget(
      name: "ModelTests", dependencies: ["Model"], resources: [.copy("Fixtures")], swiftSettings: settings),
    .testTarget(name: "GitTests", dependencies: ["Git", "Model"], swiftSettings: settings),
    .testTarget(name: "ProcessesTests", dependencies: ["Processes"], swiftSettings: settings),
    .testTarget(
      name: "ParsingTests", dependencies: ["Parsing", "Model"], resources: [.copy("Fixtures")],
      swiftSettings: settings),
    .testTarget(name: "ComparingTests", dependencies: ["Comparing", "Model"], swiftSettings: settings),
    .testTarget(
      name: "RenderingTests", dependencies: ["Rendering", "Model"], exclude: ["Golden"],
      swiftSettings: settings),
    .testTarget(
      name: "IntegratingTests", dependencies: ["Integrating", "Model", "Git", "Processes"], swiftSettings: settings),
    .testTarget(name: "HouseTests", swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests", dependencies: ["Model", "Integrating", "Processes", "Rendering"],
      exclude: ["LyingCorpus/Package"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
