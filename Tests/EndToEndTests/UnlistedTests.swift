import Model
import Testing

extension Misbehaviors {
  @Suite("When the list of tests lacks some")
  struct UnlistedTests {
    private static let story = Result { try Story() }

    /// A package with two tests of XCTest and one of Swift Testing, whose list is written by hand, then faked, then right.
    private struct Story {
      static let bot = "Lists"
      let stale: Integrated
      let faked: Integrated
      let honest: Integrated

      init() throws {
        let scratch = try ScratchFolder("unlisted")
        let repository = try GitFolder(Self.bot, in: scratch)
        let program = Program(scratch: scratch)
        try repository.commit(
          "List one by hand",
          [
            "Package.swift": SmallManifest.text(
              Self.bot,
              targets:
                #".target(name: "C"), .target(name: "Lists", dependencies: ["C"]), .testTarget(name: "ListsTests", dependencies: ["Lists"])"#
            ),
            "Sources/C/include/c.h": "int c(void);\n", "Sources/C/c.c": "int c(void) { return 1; }\n",
            "Sources/Lists/Lists.swift": "import C\n\npublic func one() -> Int32 { c() }\n",
            "Tests/ListsTests/ListsTests.swift": Self.tests,
            "Tests/LinuxMain.swift": """
            import XCTest
            @testable import ListsTests

            XCTMain([testCase([("testOne", ListsTests.testOne)])])

            """,
          ])
        // Swift Build passes over a list by hand, and finds all tests.
        stale = try program.integrate(repository.path, "--build-system", "native", "--quiet", bot: Self.bot)
        try repository.git("rm", "--quiet", "Tests/LinuxMain.swift")
        try repository.commit("Fake the list", ["Sources/C/c.c": Self.faker])
        faked = try program.integrate(repository.path, "--quiet", bot: Self.bot)
        try repository.commit("Be honest", ["Sources/C/c.c": "int c(void) { return 1; }\n"])
        honest = try program.integrate(repository.path, "--quiet", bot: Self.bot)
      }

      private static let tests = """
        import Testing
        import XCTest

        final class ListsTests: XCTestCase {
          func testOne() {}
          func testTwo() {}
        }

        #if os(macOS)
        final class OtherTests: XCTestCase { func testThree() {} }
        #endif

        @Suite struct Modern { @Test func four() {} }

        """

      /// Answers in the place of the library when the program is asked for its tests, and runs one of them only.
      private static let faker = """
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        int c(void) { return 1; }

        __attribute__((constructor)) static void answer(int count, char **words) {
          char *again[] = {words[0], "ListsTests.ListsTests/testOne", NULL};
          if (count > 1 && strcmp(words[1], "--dump-tests-json") == 0) {
            puts("{\\"name\\":\\"All tests\\",\\"tests\\":[{\\"name\\":\\"debug.xctest\\",\\"tests\\":["
                 "{\\"tests\\":[{\\"name\\":\\"testOne\\"}],\\"name\\":\\"ListsTests.ListsTests\\"}]}]}");
            exit(0);
          }
          if (count == 1) execv("/proc/self/exe", again);
        }

        """
    }

    @Test("A list by hand that leaves tests out makes the integration incomplete, by their names")
    func stale() throws {
      let document = try Self.story.get().stale.document
      #expect(document.outcome == .incomplete)
      #expect(
        document.reasons == [
          "2 tests did not run, left out by Tests/LinuxMain.swift: ListsTests.ListsTests/testTwo (Tests/ListsTests/ListsTests.swift:6) and ListsTests.four() (Tests/ListsTests/ListsTests.swift:13)."
        ])
      #expect(document.tests.unlisted?.map(\.cause) == [.handWrittenList, .handWrittenList])
    }

    @Test("A list that code before main fakes is not believed, though that code runs the program again")
    func faked() throws {
      let document = try Self.story.get().faked.document
      #expect(document.outcome == .incomplete)
      #expect(
        document.reasons.contains(
          "1 test did not run, declared, but not listed by the test program: ListsTests.ListsTests/testTwo (Tests/ListsTests/ListsTests.swift:6)."
        ), "\(document.reasons)")
    }

    @Test("What is declared for another platform only is not missed")
    func honest() throws {
      let document = try Self.story.get().honest.document
      #expect(document.outcome == .succeeded, "\(document.reasons)")
      #expect(document.tests.listed == 3)
      #expect(document.tests.unlisted == nil)
    }
  }
}
