import Testing

@testable import Model

@Suite("Whose workspace it is")
struct WorkspaceGroupTests {
  @Test("What is on no branch is alone")
  func groups() {
    #expect(WorkspaceGroup(branch: "main") == .branch("main"))
    #expect(WorkspaceGroup(branch: nil) == .alone)
  }

  @Test(
    "No two groups have the same mark",
    arguments: [("main", "Main"), ("alone", "main"), ("é", "e\u{301}"), ("detached", "alone"), ("a/b", "a-b")])
  func marks(one: String, other: String) {
    #expect(Array(WorkspaceGroup.branch(one).mark.utf8) != Array(WorkspaceGroup.branch(other).mark.utf8))
    #expect(WorkspaceGroup.branch(one).mark != WorkspaceGroup.alone.mark)
  }
}
