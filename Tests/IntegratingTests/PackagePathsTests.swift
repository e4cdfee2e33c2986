import Testing

@testable import Integrating

@Suite("Paths relative to the package")
struct PackagePathsTests {
  @Test("Absolute paths inside lose the package's folder; others have no relative form")
  func relative() throws {
    let scratch = try Scratch()
    let paths = PackagePaths(scratch.path)
    #expect(paths.relative(scratch.file("Sources/A/a.swift")) == "Sources/A/a.swift")
    #expect(paths.relative(scratch.file("")) == "")
    #expect(paths.relative(scratch.path) == nil)
    #expect(paths.relative("\(scratch.path)2/a.swift") == nil)
    #expect(paths.relative("/usr/include/stdio.h") == nil)
    #expect(paths.relative("Sources/A/a.swift") == nil)
    #expect(paths.relative("") == nil)
  }

  @Test("A folder that is reached by a link is known by both names")
  func links() throws {
    let scratch = try Scratch()
    try scratch.folder.folder("real").create()
    try scratch.link("link", to: scratch.file("real"))
    let paths = PackagePaths(scratch.file("link"))
    #expect(paths.relative(scratch.file("link/a.swift")) == "a.swift")
    #expect(paths.relative(scratch.file("real/a.swift")) == "a.swift")
    #expect(paths.roots == [scratch.file("link"), scratch.file("real")])
  }

  @Test("Sources of the repository's other packages are told from the package, if that is wanted")
  func repository() {
    let paths = PackagePaths("/nowhere/mono/Apps/App", repository: "/nowhere/mono", package: "Apps/App")
    #expect(paths.relative("/nowhere/mono/Apps/App/Sources/App/a.swift") == "Sources/App/a.swift")
    #expect(paths.relative("/nowhere/mono/Apps/Kit/k.swift") == "../Kit/k.swift")
    #expect(paths.relative("/nowhere/mono/Core/c.swift") == "../../Core/c.swift")
    #expect(paths.relative("/nowhere/other/c.swift") == nil)
    #expect(paths.roots == ["/nowhere/mono/Apps/App"])
    #expect(PackagePaths("/nowhere/mono/Apps/App").relative("/nowhere/mono/Core/c.swift") == nil)
  }

  @Test("Names are compared by their bytes, not by what they look like")
  func bytes() {
    let paths = PackagePaths("/nowhere/caf\u{e9}")
    #expect(paths.relative("/nowhere/caf\u{e9}/a") == "a")
    #expect(paths.relative("/nowhere/cafe\u{301}/a") == nil)
    #expect(PackagePaths("/nowhere/x").relative("/nowhere/x/\u{301}a") == "\u{301}a")
  }

  @Test("A folder that is not there has the one name it was given")
  func missing() {
    #expect(PackagePaths("/nowhere/x").roots == ["/nowhere/x"])
  }
}
