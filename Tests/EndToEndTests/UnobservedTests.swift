import FoundationEssentials
import Glibc
import Model
import Testing

extension Misbehaviors {
  @Suite("When a test forges its results and the observer cannot be made")
  struct UnobservedTests {
    private static let story = Result { try Story() }

    /// Integrations with a toolchain that cannot compile the part for XCTest, then with one that can compile nothing.
    private struct Story {
      let parts: [String: Integrated]
      let bareParts: [String: Integrated]

      init() throws {
        let scratch = try ScratchFolder("unobserved")
        let repository = try GitFolder(ForgingPackage.bot, in: scratch)
        try repository.commit("Collect ways to forge", ForgingPackage.files)
        var program = Program(scratch: scratch)
        program.environment["PATH"] = "\(try Self.crippledToolchain(in: scratch)):/usr/bin:/bin"
        // Each library has processes of its own.
        parts = try program.integrate(
          [["PrintTests|ZLast|OtherTests", "complete|last"], ["NestingTests"], ["OtherTests"], ["ZLast"]],
          of: repository, ["--sandbox", "off"], bot: ForgingPackage.bot)
        try scratch.write("", to: "no-clang")
        bareParts = try program.integrate(
          [["PrintTests"], ["OtherTests"], ["ZLast"]], of: repository, ["--sandbox", "off"], bot: ForgingPackage.bot)
      }

      /// A toolchain that builds packages and refuses to compile the observer; without clang once that is told.
      private static func crippledToolchain(in scratch: ScratchFolder) throws -> String {
        let toolchain = try ScriptedToolchain(in: scratch)
        let refusal = "echo \"error: refused\" >&2; exit 1"
        try toolchain.replace("swiftc", "*MartletObserver*) \(refusal);;")
        try toolchain.replace(
          "clang", "*ProcessObserver.c*) if [ -e '\(scratch.file("no-clang"))' ]; then \(refusal); fi;;")
        return toolchain.programs
      }
    }

    private func part(_ filter: String, isBare: Bool = false) throws -> SelectedTests {
      let story = try Self.story.get()
      let whole = try #require((isBare ? story.bareParts : story.parts)[filter])
      #expect(whole.addsUp)
      return try SelectedTests(filter, of: whole)
    }

    @Test("An honest run is proven by the way in which its process ends")
    func honest() throws {
      let part = try part("OtherTests")
      #expect(part.document.tests.source == ["XCTest": "console"])
      #expect(
        part.document.tests.sourceReason == ["XCTest": "swiftc could not compile the observer: error: refused"])
      #expect(part.document.outcome == .succeeded, "\(part.document.reasons)")
      #expect(try self.part("ZLast").document.reasons == ["1 test failed."])
    }

    @Test("Forged totals are not believed, and the tests that they spoke for are run")
    func forged() throws {
      let part = try part("PrintTests|ZLast|OtherTests")
      #expect(
        part.named == [
          "ForgingTests.PrintTests/test": .notRun, "ForgingTests.ZLastTests/test": .failed,
          "OtherTests.ALastTests/test": .passed,
        ])
      #expect(
        part.document.reasons.contains(
          "XCTest: a test process printed the library's last words and ended otherwise, by _exit(0) at Tests/ForgingTests/Printed.swift:14, so nothing that it printed was believed."
        ), "\(part.document.reasons)")
      #expect(part.document.reasons.contains("ForgingTests.PrintTests/test printed more than it is to be believed."))
    }

    @Test("A run of XCTest inside a test does not end the run, whatever was printed before")
    func nested() throws {
      let part = try part("NestingTests")
      #expect(part.document.outcome == .incomplete, "\(part.document.reasons)")
      #expect(part.named == ["ForgingTests.NestingTests/test": .notRun])
    }

    @Test("Swift Testing's events come by the private channel all the same")
    func events() throws {
      let part = try part("complete|last")
      #expect(part.named == ["ForgingTests.complete()": .notRun, "ForgingTests.last()": .failed])
    }

    @Test("Where nothing can follow the process, nothing is green", arguments: ["PrintTests", "OtherTests"])
    func bare(filter: String) throws {
      let part = try part(filter, isBare: true)
      #expect(part.document.outcome == .incomplete)
      #expect(
        part.document.reasons.contains(
          "XCTest: nothing proves that the tests came to their end, because clang could not compile the observer: error: refused; what they print themselves is all there is."
        ), "\(part.document.reasons)")
      #expect(try self.part("ZLast", isBare: true).document.outcome == .testFailures)
    }
  }
}
