import Glibc
import Model
import Testing

@testable import Git
@testable import Integrating

@Suite("Versions that a commit does not pin")
struct UnpinnedVersionsTests {
  private let scratch: Scratch
  private let package: Folder
  private let memory: Folder

  init() throws {
    scratch = try Scratch()
    package = try scratch.folder.folder("package").create()
    memory = try scratch.folder.folder("memory").create()
  }

  private func restored() -> String? {
    UnpinnedVersions(package: package).restore(from: memory)
    return scratch.text("package/Package.resolved")
  }

  @Test("An incremental build has those of the last one, whether the checkout keeps the file or not")
  func incremental() throws {
    try memory.write("1.0.0", to: "Package.resolved")
    #expect(restored() == "1.0.0")
    try package.write("those of another build", to: "Package.resolved")
    #expect(restored() == "1.0.0")
  }

  @Test("Those of the last build stay untouched in a file that the checkout keeps")
  func untouched() throws {
    try memory.write("1.0.0", to: "Package.resolved")
    try package.write("1.0.0", to: "Package.resolved")
    let version = stat(package.file("Package.resolved"))?.version
    _ = restored()
    #expect(stat(package.file("Package.resolved"))?.version == version)
  }

  @Test("A clean build, which remembers nothing, has none, even where git ignores the file")
  func clean() throws {
    try package.write("1.0.0", to: "Package.resolved")
    #expect(restored() == nil)
  }

  @Test("Only those of the commit and of uncommitted changes come with a checkout, and no ignored ones")
  func brought() throws {
    try scratch.shell(
      """
      git init --quiet --initial-branch=main repository && cd repository && mkdir Pinned Unpinned
      echo Package.resolved > .gitignore && touch Pinned/Package.resolved Unpinned/Package.resolved
      git add --force .gitignore Pinned && git commit --quiet --message Begin
      """)
    let repository = try Repository(at: scratch.file("repository"))
    let head = try repository.head().commit
    func brings(_ package: String, added: [String] = [], deleted: [String] = []) throws -> Bool {
      let path = "\(package)/Package.resolved"
      let changes = WorkingTreeChanges(modified: [], added: added, deleted: deleted)
      return try repository.brings(path, of: head, with: changes)
    }
    #expect(try repository.brings("Pinned/Package.resolved", of: head, with: nil))
    #expect(try !repository.brings("Unpinned/Package.resolved", of: head, with: nil))
    #expect(try brings("Pinned"))
    #expect(try !brings("Pinned", deleted: ["Pinned/Package.resolved"]))
    #expect(try !brings("Unpinned"))
    #expect(try brings("Unpinned", added: ["Unpinned/Package.resolved"]))
  }
}
