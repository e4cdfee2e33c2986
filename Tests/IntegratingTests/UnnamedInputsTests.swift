import Testing

@testable import Integrating

@Suite("Files that a build reads without naming them")
struct UnnamedInputsTests {
  private let rule = UnnamedInputs(
    beside: [
      "Package.swift", "Sources/C/c.c", "Sources/C/deep/d.S", "Sources/Swift/a.swift", "native/n.cpp", "native/n.h",
    ])

  @Test(
    "Libraries and what says how to link are among them, wherever they are",
    arguments: [
      "vendor/libfoo.a", "libfoo.so", "lib/libfoo.so.1.2", "x.o", "link.ld",
      "foo.artifactbundle/info.json", "a/foo.xcframework/Info.plist",
    ])
  func linked(_ path: String) { #expect(rule.mayRead(path)) }

  @Test(
    "So are files beside sources in C that are neither sources nor headers with a suffix",
    arguments: ["Sources/C/blob.bin", "Sources/C/include/cfg", "Sources/C/deep/more/x.inc2", "native/data/table.dat"])
  func beside(_ path: String) { #expect(rule.mayRead(path)) }

  @Test(
    "Nothing else is",
    arguments: [
      "Sources/C/c.c", "Sources/C/c.h", "Sources/C/d.S", "Sources/C/README.md", "Sources/Swift/res.json", "LICENSE",
      "Sources/CC/blob.bin", "Sources/C.bin", "Package.swift", "docs/a.png", "a.swift",
    ])
  func others(_ path: String) { #expect(!rule.mayRead(path)) }
}

@Suite("Sources in a checkout that no commit has")
struct IgnoredSourcesTests {
  private let sources = IgnoredSources(
    beside: [
      "Package.swift", "Sources/P/P.swift", "Sources/P/deep/D.swift", "Tests/T/t.c", "web/index.html", "mod/x.h",
    ],
    submodules: ["Sources/P/mod"])

  @Test("They are sought in the outermost folders with sources, but not in the repository's own")
  func folders() { #expect(sources.folders == ["Sources/P", "Tests/T", "mod"]) }

  @Test("Sources are left that the checkout does not have, but nothing in hidden folders and submodules")
  func left() {
    for path in ["Sources/P/Generated.swift", "Sources/P/new/G.c", "Sources/P/g.S", "Tests/T/g.h"] {
      #expect(sources.isLeft(path))
    }
    for path in ["Sources/P/P.swift", "Sources/P/data.json", "Sources/P/.cache/x.swift", "Sources/P/mod/m.swift"] {
      #expect(!sources.isLeft(path))
    }
  }
}
