import Model
import Testing

@Suite("The mark of a toolchain")
struct ToolchainMarkTests {
  private let own = ToolchainMark(name: "Swift 6.3.1", stamp: "one", machine: nil)

  @Test("Another version is another toolchain, and so is another build of one version on the same machine")
  func differs() {
    #expect(!own.differs(from: own))
    #expect(own.differs(from: ToolchainMark(name: "Swift 6.4", stamp: "one", machine: nil)))
    #expect(own.differs(from: ToolchainMark(name: "Swift 6.3.1", stamp: "two", machine: nil)))
  }

  @Test("Stamps of other machines tell nothing, nor do older documents without one")
  func unknown() {
    #expect(!own.differs(from: ToolchainMark(name: "Swift 6.3.1", stamp: "two", machine: "big")))
    #expect(!own.differs(from: ToolchainMark(name: "Swift 6.3.1", stamp: nil, machine: nil)))
  }
}
