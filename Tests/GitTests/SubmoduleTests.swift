import Foundation
import Git
import Model
import Testing

@testable import Git

@Suite("Submodules")
struct SubmoduleTests {
  /// A repository `Greeter` with the submodule `Vendor/Lib`, in which lies the submodule `inner`.
  private struct Setting {
    let scratch: Scratch
    let inner: TestRepository
    let library: TestRepository
    let origin: TestRepository
    let workspace: Workspace
    let commit: CommitID

    init(_ name: String = #function) throws {
      scratch = try Scratch(name)
      inner = try scratch.repository("Inner")
      try inner.commit("Inner", ["deep.txt": "deep"])
      library = try scratch.repository("Lib")
      try library.git("submodule", "--quiet", "add", "../Inner", "inner")
      try library.commit("Library", ["lib.swift": "let lib = 1\n"])
      origin = try scratch.repository()
      try origin.git("submodule", "--quiet", "add", "../Lib", "Vendor/Lib")
      try origin.git("submodule", "--quiet", "update", "--init", "--recursive")
      commit = try origin.commit("One", ["a": "1"])
      workspace = scratch.workspace()
    }

    static let files = [
      ".gitmodules", "Vendor/Lib/.gitmodules", "Vendor/Lib/inner/deep.txt", "Vendor/Lib/lib.swift", "a",
    ]

    func repository() throws -> Repository { try Repository(at: origin.path) }
  }

  @Test("Submodules are checked out within one another, with fixed times, and once only")
  func nested() throws {
    let setting = try Setting()
    let summary = try setting.repository().checkOut(setting.commit, into: setting.workspace)
    #expect(summary.submodules == ["Vendor/Lib", "Vendor/Lib/inner"])
    #expect(summary.files == 5)
    #expect(summary.written == Setting.files)
    let files = try setting.workspace.files()
    #expect(files.keys.sorted() == Setting.files)
    #expect(setting.workspace.text("Vendor/Lib/inner/deep.txt") == "deep")
    let again = try setting.repository().checkOut(setting.commit, into: setting.workspace)
    #expect(again.written == [])
    #expect(try setting.workspace.files() == files)
    #expect(try setting.repository().entries(of: setting.commit).map(\.kind) == [.file, .submodule, .file])
  }

  @Test("Edits in a submodule are undone, and a moved submodule follows")
  func moved() throws {
    let setting = try Setting()
    _ = try setting.repository().checkOut(setting.commit, into: setting.workspace)
    let library = setting.scratch.existing("Greeter/Vendor/Lib")
    try library.commit("Next", ["lib.swift": "let lib = 2\n", "more.swift": ""])
    let next = try setting.origin.commit("Two")
    try Data("stray".utf8).write(to: URL(fileURLWithPath: setting.workspace.path("Vendor/Lib/stray")))
    try Data("edit".utf8).write(to: URL(fileURLWithPath: setting.workspace.path("Vendor/Lib/inner/deep.txt")))
    let summary = try setting.repository().checkOut(next, into: setting.workspace)
    #expect(summary.written == ["Vendor/Lib/inner/deep.txt", "Vendor/Lib/lib.swift", "Vendor/Lib/more.swift"])
    #expect(setting.workspace.text("Vendor/Lib/lib.swift") == "let lib = 2\n")
    #expect(setting.workspace.text("Vendor/Lib/inner/deep.txt") == "deep")
    #expect(setting.workspace.text("Vendor/Lib/stray") == nil)
  }

  @Test("A folder that code has put in the place of a submodule's is emptied, and its files are written again")
  func replaced() throws {
    let setting = try Setting()
    _ = try setting.repository().checkOut(setting.commit, into: setting.workspace)
    let (folder, old) = (setting.workspace.path("Vendor/Lib"), "\(setting.scratch.path)/old")
    try FileManager.default.moveItem(atPath: folder, toPath: old)
    try FileManager.default.copyItem(atPath: old, toPath: folder)
    try Data("edit".utf8).write(to: URL(fileURLWithPath: "\(folder)/lib.swift"))
    try Data("stray".utf8).write(to: URL(fileURLWithPath: "\(folder)/stray"))
    let summary = try setting.repository().checkOut(setting.commit, into: setting.workspace)
    #expect(summary.written == Setting.files.filter { $0.hasPrefix("Vendor/Lib/") })
    #expect(try setting.workspace.files().keys.sorted() == Setting.files)
    #expect(setting.workspace.text("Vendor/Lib/lib.swift") == "let lib = 1\n")
    #expect(try setting.repository().checkOut(setting.commit, into: setting.workspace).written == [])
  }

  @Test("A removed submodule goes with all its files, and comes back")
  func removed() throws {
    let setting = try Setting()
    _ = try setting.repository().checkOut(setting.commit, into: setting.workspace)
    let first = try setting.workspace.files()
    try setting.origin.git("rm", "--quiet", "-f", "Vendor/Lib")
    let next = try setting.origin.commit("Two", ["Vendor/Lib": "a file now"])
    _ = try setting.repository().checkOut(next, into: setting.workspace)
    #expect(try setting.workspace.files().keys.sorted() == [".gitmodules", "Vendor/Lib", "a"])
    // Of its own modules libgit2 does not open the inner one, whose work tree would lie beneath a file.
    let inner = "\(setting.scratch.path)/Inner"
    _ = try setting.repository().checkOut(setting.commit, into: setting.workspace, submodulesFrom: [inner])
    #expect(try setting.workspace.files().mapValues(\.time) == first.mapValues(\.time))
  }

  /// Bare repositories beside one another, and nothing else; gives the one with submodules.
  private func hub(_ setting: Setting) throws -> Repository {
    for name in ["Greeter", "Lib", "Inner"] {
      try setting.inner.git("clone", "--quiet", "--bare", "../\(name)", "../hub/\(name)")
      try setting.scratch.existing("hub/\(name)").git("remote", "remove", "origin")
    }
    for name in ["Greeter", "Lib", "Inner"] {
      try FileManager.default.removeItem(atPath: "\(setting.scratch.path)/\(name)")
    }
    return try Repository(at: "\(setting.scratch.path)/hub/Greeter")
  }

  @Test("A bare repository finds its submodules beside it by their relative URLs, where that is allowed")
  func bare() throws {
    let setting = try Setting()
    let hub = try hub(setting)
    _ = try hub.checkOut(setting.commit, into: setting.workspace, submodulesFrom: ["\(setting.scratch.path)/hub"])
    #expect(try setting.workspace.files().keys.sorted() == Setting.files)
  }

  @Test(
    "A commit has no other repository of this machine copied, unless it is allowed, as the submodules in it are",
    arguments: [[], ["hub/L", "hub/Inner"], ["hub/Lib"]] as [[String]])
  func foreign(allowed: [String]) throws {
    let setting = try Setting()
    let hub = try hub(setting)
    let folder = "\(setting.scratch.path)/hub"
    let error = #expect(throws: GitError.self) {
      _ = try hub.checkOut(
        setting.commit, into: setting.workspace, submodulesFrom: allowed.map { "\(setting.scratch.path)/\($0)" })
    }
    let isLib = allowed != ["hub/Lib"]
    let (base, url, name) = isLib ? ("Greeter", "../Lib", "Vendor/Lib") : ("Lib", "../Inner", "inner")
    let path = "\(folder)/\(isLib ? "Lib" : "Inner")"
    #expect(error?.kind == .submodule)
    let why = String(try #require(error).description.drop { $0 != ":" })
    let expected =
      ": the URL “\(url)” of the submodule “\(name)” at “\(name)” leads to “\(path)”, and a commit may not have "
      + "just any repository of this machine copied. If it may have this one, put a bare clone of it at "
      + "“\(folder)/\(base)/modules/\(name)”, or write submodules: {allow: [\(path)]} into the bot's file."
    #expect(why == expected)
    #expect(setting.workspace.text(isLib ? "Vendor/Lib/lib.swift" : "Vendor/Lib/inner/deep.txt") == nil)
  }

  @Test("Neither dots in an absolute URL nor a link in the work tree lead to another repository", arguments: [0, 1, 2])
  func around(way: Int) throws {
    let scratch = try Scratch()
    let secret = try scratch.repository("secret/Plans")
    try secret.commit("Plans", ["plans": "1"])
    let origin = try scratch.repository()
    let url = [
      "\(scratch.path)/open/../secret/Plans", "file://\(scratch.path)/open/../secret/Plans", "../secret/Plans",
    ][way]
    try origin.commit("One", [".gitmodules": "[submodule \"p\"]\n\tpath = vendor/Plans\n\turl = \(url)\n"])
    try origin.git("update-index", "--add", "--cacheinfo", "160000,\(try secret.git("rev-parse", "HEAD")),vendor/Plans")
    try origin.git("commit", "--quiet", "--message", "Two")
    let commit = try origin.tip()
    try FileManager.default.createSymbolicLink(
      atPath: "\(origin.path)/vendor", withDestinationPath: "\(scratch.path)/secret")
    let workspace = scratch.workspace()
    let repository = try Repository(at: origin.path)
    let error = #expect(throws: GitError.self) {
      _ = try repository.checkOut(commit, into: workspace, submodulesFrom: ["\(scratch.path)/open"])
    }
    let expected =
      "Cannot check out \(commit.short) of “\(repository.path)”: the URL “\(url)” of the submodule “p” at “vendor/Plans” "
      + "leads to “\(scratch.path)/secret/Plans”, and a commit may not have just any repository of this machine copied. "
      + "If it may have this one, run `git -c protocol.file.allow=always submodule update --init --recursive` in "
      + "“\(repository.path)”, or write submodules: {allow: [\(scratch.path)/secret/Plans]} into the bot's file."
    #expect(error?.description == expected)
    #expect(workspace.text("vendor/Plans/plans") == nil)
  }

  @Test("A submodule whose commit is nowhere is named, with its URL and the way out")
  func missing() throws {
    let setting = try Setting()
    let link = try setting.origin.git("rev-parse", "HEAD:Vendor/Lib")
    try setting.origin.git("config", "--file", ".gitmodules", "submodule.Vendor/Lib.url", "https://example.org/Lib")
    let commit = try setting.origin.commit("Two")
    try setting.origin.git("clone", "--quiet", ".", "../Clone")
    try setting.origin.git("clone", "--quiet", "--bare", ".", "../Clone.git")
    for (name, way) in [
      ("Clone", "Run `git submodule update --init --recursive` in “\(setting.scratch.path)/Clone”."),
      (
        "Clone.git", "Put a bare clone of that URL at “\(setting.scratch.path)/Clone.git/modules/Vendor/Lib”."
      ),
    ] {
      let clone = try Repository(at: "\(setting.scratch.path)/\(name)")
      let error = #expect(throws: GitError.self) { _ = try clone.checkOut(commit, into: setting.workspace) }
      #expect(error?.kind == .submodule)
      #expect(
        error?.description == "Cannot check out \(commit.short) of “\(clone.path)”: no repository on this machine has "
          + "the commit \(link.prefix(7)) of the submodule “Vendor/Lib” at “Vendor/Lib”, whose URL is "
          + "“https://example.org/Lib”. \(way)")
    }
  }

  @Test("A link to a commit that no .gitmodules mentions leaves an empty folder, as in git")
  func stray() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("One", ["a": "1"])
    let link = String(repeating: "1", count: 40)
    try origin.git("update-index", "--add", "--cacheinfo", "160000,\(link),lost")
    try origin.git("commit", "--quiet", "--message", "Two")
    let workspace = scratch.workspace()
    let summary = try Repository(at: origin.path).checkOut(origin.tip(), into: workspace)
    #expect(summary.submodules == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.path("lost")) == [])
  }

  @Test("The file .gitmodules is read as git reads it, without its traps")
  func file() {
    let file = SubmoduleFile(
      Array(
        """
        # a comment
        [core]
          path = core
        [submodule "one"]
        \tpath = Vendor/One/ ; comment
        \turl = "https://example.org/a b#c"
        [Submodule "with \\"quotes\\""]
          PATH=two
          url = ../two.git # comment
          update = none
        [submodule "../../escape"]
          path = three
        [submodule
        [submodule ""]
          path = four
        """.utf8))
    #expect(
      file.submodules == [
        .init(name: "one", path: "Vendor/One", url: "https://example.org/a b#c"),
        .init(name: "with \"quotes\"", path: "two", url: "../two.git", isOptional: true),
      ])
    #expect(SubmoduleFile([0xFF, 0, 0x5B, 0x22]).submodules.isEmpty)
  }

  @Test("A URL leads to a folder only when it is one of this machine")
  func urls() {
    #expect(LocalURL.path("file:///srv/Lib.git") == "/srv/Lib.git")
    #expect(LocalURL.path("/srv/Lib") == "/srv/Lib")
    #expect(LocalURL.path("/srv/x/../../var/./Lib/") == "/var/Lib")
    for url in ["https://example.org/Lib", "git@example.org:Lib", "file://host/Lib", "Lib", ""] {
      #expect(LocalURL.path(url) == nil)
    }
    #expect(LocalURL.resolve("../Lib.git", against: "/srv/Greeter.git") == "/srv/Lib.git")
    #expect(LocalURL.resolve("./Lib", against: "/srv/") == "/srv/Lib")
    #expect(LocalURL.resolve("../../../x", against: "/srv") == "/x")
  }
}
