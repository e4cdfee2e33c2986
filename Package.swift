// swift-tools-version: 6.0
import PackageDescription

/// The house rules of the compiler, the same for every Swift target.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Those of targets that compute much. They are optimised in debug builds, too: most of the time of the tests, and of the
/// program that they try, passes here.
let computingSettings = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
  name: "martlet",
  products: [
    .executable(name: "martlet", targets: ["martlet"])
  ],
  targets: [
    // Ground: system libraries and the few C calls that Glibc's Swift module lacks.
    .systemLibrary(name: "CLibgit2", pkgConfig: "libgit2", providers: [.apt(["libgit2-dev"])]),
    .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CEvent", pkgConfig: "libevent_extra", providers: [.apt(["libevent-dev"])]),
    .target(name: "CProcess"),
    // Opens libcurl when it is needed; only its header is needed here (Debian: libcurl4-openssl-dev).
    .target(name: "CCurl"),

    // Ground: the nouns.
    .target(name: "Model", swiftSettings: computingSettings),

    // Ground: what sources are made of.
    .target(name: "Syntax", dependencies: ["Model"], swiftSettings: computingSettings),

    // Stages, in the order in which the data passes them.
    .target(name: "BotFiles", dependencies: ["Model", "CLibYAML"], swiftSettings: settings),
    .target(name: "Git", dependencies: ["Model", "CLibgit2"], swiftSettings: settings),
    .target(name: "Watching", dependencies: ["Model", "Git"], swiftSettings: settings),
    .target(name: "Processes", dependencies: ["CProcess"], swiftSettings: settings),
    .target(name: "Scheduling", dependencies: ["Model"], swiftSettings: settings),
    .target(name: "Storing", dependencies: ["Model", "CSQLite"], swiftSettings: settings),
    .target(name: "Parsing", dependencies: ["Model", "Syntax", "CZlib"], swiftSettings: computingSettings),
    .target(name: "Comparing", dependencies: ["Model"], swiftSettings: computingSettings),
    .target(name: "Rendering", dependencies: ["Model", "Syntax"], swiftSettings: computingSettings),
    .target(name: "Notifying", dependencies: ["Model", "Processes", "Rendering", "CCurl"], swiftSettings: settings),
    .target(
      name: "Integrating",
      dependencies: [
        "Model", "Syntax", "BotFiles", "Git", "Watching", "Processes", "Storing", "Parsing", "Comparing", "Rendering",
        "Notifying",
      ],
      // Sources that Martlet has a toolchain compile when it runs tests and reads what they left.
      resources: [
        .embedInCode("Testing/Observer/Embedded/ProcessObserver.c"),
        .embedInCode("Testing/Observer/Embedded/XCTestObserver.swift"),
        .embedInCode("Testing/Observer/Embedded/Counters.h"), .embedInCode("Testing/Observer/Embedded/Images.h"),
        .embedInCode("Testing/Observer/Embedded/Mutants.h"),
        .embedInCode("Testing/Observer/Embedded/Records.h"), .embedInCode("Testing/Observer/Embedded/Started.h"),
        .embedInCode("Testing/Observer/Embedded/System.h"), .embedInCode("Testing/Observer/Embedded/Values.h"),
        .embedInCode("Testing/Observer/Embedded/DeclaredTests.c"), .embedInCode("Measuring/Embedded/CxxNames.c"),
      ],
      swiftSettings: settings),
    .target(
      name: "Keeping",
      dependencies: ["Model", "BotFiles", "Git", "Watching", "Processes", "Scheduling", "Storing"],
      swiftSettings: settings),
    .target(
      name: "Serving", dependencies: ["Model", "Processes", "Storing", "Rendering", "Integrating", "CEvent"],
      swiftSettings: settings),
    .executableTarget(
      name: "martlet",
      dependencies: [
        "Model", "BotFiles", "Git", "Processes", "Scheduling", "Comparing", "Integrating", "Keeping", "Rendering",
        "Notifying", "Serving",
      ],
      swiftSettings: settings),

    // Tests: one target per stage, the house itself, and the whole as a user sees it; what several of them stand on.
    .target(name: "TestGround", dependencies: ["Model"], path: "Tests/TestGround", swiftSettings: settings),
    .testTarget(
      name: "ModelTests", dependencies: ["Model", "TestGround"], resources: [.copy("Fixtures")], swiftSettings: settings
    ),
    .testTarget(name: "SyntaxTests", dependencies: ["Syntax", "Model", "TestGround"], swiftSettings: settings),
    .testTarget(name: "BotFilesTests", dependencies: ["BotFiles", "Model", "TestGround"], swiftSettings: settings),
    .testTarget(
      name: "GitTests", dependencies: ["Git", "Model", "CLibgit2", "TestGround"], swiftSettings: settings),
    .testTarget(
      name: "WatchingTests", dependencies: ["Watching", "Git", "Model", "TestGround"], swiftSettings: settings),
    .testTarget(name: "SchedulingTests", dependencies: ["Scheduling", "Model", "TestGround"], swiftSettings: settings),
    .testTarget(
      name: "StoringTests", dependencies: ["Storing", "Scheduling", "Model", "CSQLite", "TestGround"],
      swiftSettings: settings),
    .testTarget(name: "ProcessesTests", dependencies: ["Processes", "TestGround"], swiftSettings: settings),
    .testTarget(
      name: "ParsingTests", dependencies: ["Parsing", "Rendering", "Model", "TestGround"],
      resources: [.copy("Fixtures")],
      swiftSettings: settings),
    .testTarget(
      name: "ComparingTests", dependencies: ["Comparing", "Rendering", "Model", "TestGround"], swiftSettings: settings),
    .testTarget(
      name: "RenderingTests", dependencies: ["Rendering", "Comparing", "Parsing", "Syntax", "Model", "TestGround"],
      exclude: ["Golden"], swiftSettings: settings),
    .testTarget(
      name: "NotifyingTests",
      dependencies: ["Notifying", "Rendering", "Comparing", "Processes", "Model", "TestGround"],
      exclude: ["Golden"], swiftSettings: settings),
    .testTarget(
      name: "IntegratingTests",
      dependencies: [
        "Integrating", "Comparing", "Model", "Git", "Notifying", "Processes", "Rendering", "Storing", "TestGround",
      ],
      exclude: ["Stored"], swiftSettings: settings),
    .testTarget(
      name: "KeepingTests",
      dependencies: [
        "Keeping", "Model", "BotFiles", "Git", "Watching", "Processes", "Scheduling", "Storing", "TestGround",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ServingTests",
      dependencies: ["Serving", "Integrating", "Model", "Processes", "Rendering", "Storing", "TestGround"],
      swiftSettings: settings),
    .testTarget(name: "HouseTests", dependencies: ["Syntax"], swiftSettings: computingSettings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["Model", "Integrating", "Keeping", "Processes", "Rendering", "Storing", "TestGround"],
      exclude: ["LyingCorpus/Package", "LyingCorpus/Versions"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
