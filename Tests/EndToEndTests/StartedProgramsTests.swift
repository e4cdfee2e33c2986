import Foundation
import Model
import Testing

extension Histories {
  @Suite("When tests start programs of the package")
  struct StartedProgramsTests {
    private static let bot = "Sums"
    private static let main = "Sources/sums/main.swift"

    private static let adding = [
      "SumsTests.ForkingTests/testAdd", "SumsTests.SumsTests/testAdd", "SumsTests.SumsTests/testAddElsewhere",
    ]
    private static let multiplying = [
      "SumsTests.SumsTests/testMultiply", "SumsTests.multiplies()", "SumsTests.multipliesElsewhere()",
    ]

    @Test("What each of them runs is its test's, and a change of one branch runs the tests that take it")
    func branches() throws {
      let story = try Story.told.get()
      let first = story.first
      #expect(first.document.outcome == .succeeded, "\(first.document.reasons)")
      #expect(first.coverage.testMap?.tests == 6 && first.coverage.testMap?.gaps == nil)
      #expect(first.coverage.testMap?.idle == nil)
      #expect(try story.tests(ofLine: 9) == Self.adding + Self.multiplying)
      let second = story.added
      #expect(second.document.outcome == .succeeded, "\(second.document.reasons)")
      #expect(second.document.tests.passed == 3 && second.test("SumsTests.SumsTests/testAdd")?.state == .passed)
      let third = story.multiplied
      #expect(third.test("testMultiply")?.state == .passed && third.test("multiplies()")?.state == .passed)
    }

    @Test("What a program runs that outlives its test is nobody's, which the map says, and everything runs")
    func outliving() throws {
      let story = try Story.told.get()
      let first = story.left
      #expect(first.document.outcome == .succeeded, "\(first.document.reasons)")
      let gaps = try #require(first.coverage.testMap?.gaps)
      #expect(gaps.count == 1 && gaps[0].hasPrefix("Tests started programs of the package; what "))
      #expect(gaps[0].hasSuffix(" of these ran is told of no test."))
      let second = story.afterLeft
      #expect(second.document.tests.only?.everything == .incompleteMap)
      #expect(second.document.tests.passed == 7)
    }

    @Test("What a program runs is its test's, also with an environment of its own, and by a fork and a link")
    func replaced() throws {
      let story = try Story.told.get()
      #expect(try story.tests(ofLine: 2) == Self.adding)
      #expect(try story.tests(ofLine: 6) == Self.multiplying)
      let lines = try #require(story.first.document.coverage.lines)
      #expect(lines.total > 0 && lines.covered == lines.total, "\(lines)")
    }

    /// A package whose tests do nothing but start its program.
    private struct Story {
      static let told = Result { try Story() }

      let first: Integrated
      /// One branch of the program does what it did otherwise.
      let added: Integrated
      /// And now the other one.
      let multiplied: Integrated
      /// With a test that leaves a program behind.
      let left: Integrated
      /// Of a change of one branch behind that.
      let afterLeft: Integrated
      private let program: Program

      private init() throws {
        let scratch = try ScratchFolder("started-programs")
        let program = Program(scratch: scratch)
        self.program = program
        let repository = try GitFolder(StartedProgramsTests.bot, in: scratch)
        var number = 0
        func integrate(_ message: String, _ files: [String: String]) throws -> Integrated {
          try repository.commit(message, files)
          number += 1
          var bot = Bot(name: StartedProgramsTests.bot, repository: repository.path)
          bot.tests.only = .affected
          let commit = try repository.head
          let order = IntegrationOrder(
            bot: bot, number: number, commit: commit, branch: "main", cause: .commit, queuedAt: Date())
          return try program.integrate(order)
        }
        let (main, tests) = (StartedProgramsTests.main, "Tests/SumsTests/SumsTests.swift")
        var text = StartedProgramsTests.text
        first = try integrate(
          "Begin",
          [
            "Package.swift": StartedProgramsTests.manifest, main: text, tests: StartedProgramsTests.tests(leaving: ""),
          ])
        text = text.replacing("0, +", with: "0, (+)")
        added = try integrate("Add otherwise", [main: text])
        text = text.replacing("1, *", with: "1, (*)")
        multiplied = try integrate("Multiply otherwise", [main: text])
        left = try integrate(
          "Leave a program", [tests: StartedProgramsTests.tests(leaving: StartedProgramsTests.leaving)])
        text = text.replacing("0, (+)", with: "0, +")
        afterLeft = try integrate("Add as before", [main: text])
      }

      /// The tests that ran a line of the program in the first integration.
      func tests(ofLine line: Int) throws -> [String] {
        try program.run(
          "show", "\(StartedProgramsTests.bot)/1", "--tests-of", "\(StartedProgramsTests.main):\(line)"
        ).output.split(separator: "\n").map(String.init)
      }
    }

    private static let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Sums",
        targets: [.executableTarget(name: "sums"), .testTarget(name: "SumsTests", dependencies: ["sums"])])

      """

    private static let text = """
      func add(_ values: [Int]) -> Int {
        values.reduce(0, +)
      }

      func multiply(_ values: [Int]) -> Int {
        values.reduce(1, *)
      }

      let given = CommandLine.arguments.dropFirst()
      let numbers = given.compactMap { Int($0) }
      if given.first == "wait" { _ = readLine() }
      print(given.first == "add" ? add(numbers) : multiply(numbers))

      """

    /// Its program waits until the test process has ended.
    private static let leaving = """

      final class ALeavingTests: XCTestCase {
        nonisolated(unsafe) static var left: (Process, Pipe)?

        func testLeaving() throws {
          let program = Process()
          program.executableURL = sumsProgram
          program.arguments = ["wait"]
          program.standardOutput = FileHandle.nullDevice
          let input = Pipe()
          program.standardInput = input
          try program.run()
          Self.left = (program, input)
        }
      }

      """

    /// Its test starts the program as libraries do that fork, by another path, with an empty environment.
    private static let forking = """

      final class ForkingTests: XCTestCase {
        func testAdd() throws {
          let link = FileManager.default.temporaryDirectory.appendingPathComponent("sums-\\(getpid())").path
          try? FileManager.default.removeItem(atPath: link)
          try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: sumsProgram.path)
          let words: [UnsafeMutablePointer<CChar>?] = [strdup(link), strdup("add"), strdup("1"), nil]
          let nothing: [UnsafeMutablePointer<CChar>?] = [nil]
          // Swift does not let the name be called.
          let child = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)()
          if child == 0 {
            execve(link, words, nothing)
            _exit(3)
          }
          var status: Int32 = 0
          XCTAssertEqual(waitpid(child, &status, 0), child)
          XCTAssertEqual(status, 0)
        }
      }

      """

    /// - Parameter leaving: another class of tests.
    private static func tests(leaving: String) -> String {
      """
      import Foundation
      import Testing
      import XCTest

      private var sumsProgram: URL { Bundle.main.bundleURL.appendingPathComponent("sums") }

      /// - Parameter environment: what the program gets; nothing to inherit it.
      private func sums(_ arguments: String..., environment: [String: String]? = nil) throws -> String {
        let program = Process()
        program.executableURL = sumsProgram
        program.arguments = arguments
        if let environment { program.environment = environment }
        let output = Pipe()
        program.standardOutput = output
        try program.run()
        program.waitUntilExit()
        return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      }

      final class SumsTests: XCTestCase {
        func testAdd() throws { XCTAssertEqual(try sums("add", "2", "3"), "5\\n") }
        func testAddElsewhere() throws { XCTAssertEqual(try sums("add", "2", "3", environment: ["A": "b"]), "5\\n") }
        func testMultiply() throws { XCTAssertEqual(try sums("multiply", "2", "3"), "6\\n") }
      }

      @Test func multiplies() throws { #expect(try sums("multiply", "3", "3") == "9\\n") }
      @Test func multipliesElsewhere() throws {
        #expect(try sums("multiply", "3", "3", environment: ["A": "b"]) == "9\\n")
      }
      \(forking)
      \(leaving)
      """
    }
  }
}
