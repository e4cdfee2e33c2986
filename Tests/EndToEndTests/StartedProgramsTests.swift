import Foundation
import Model
import Testing

extension Histories {
  @Suite("When tests start programs of the package")
  struct StartedProgramsTests {
    private static let bot = "Sums"
    private static let main = "Sources/sums/main.swift"

    @Test("What each of them runs is its test's, and a change of one branch runs the tests that take it")
    func branches() throws {
      var story = try Story(Self.tests(leaving: ""))
      let first = try story.integrate()
      #expect(first.document.outcome == .succeeded, "\(first.document.reasons)")
      #expect(first.coverage.testMap?.tests == 3 && first.coverage.testMap?.gaps == nil)
      #expect(first.coverage.testMap?.idle == nil)
      let (add, multiply) = (
        "SumsTests.SumsTests/testAdd\n", "SumsTests.SumsTests/testMultiply\nSumsTests.multiplies()\n"
      )
      #expect(try story.tests(ofLine: 2) == add)
      #expect(try story.tests(ofLine: 6) == multiply)
      #expect(try story.tests(ofLine: 9) == add + multiply)
      try story.change("Add otherwise", "0, +", to: "0, (+)")
      let second = try story.integrate()
      #expect(second.document.outcome == .succeeded, "\(second.document.reasons)")
      #expect(second.document.tests.passed == 1 && second.test("testAdd")?.state == .passed)
      try story.change("Multiply otherwise", "1, *", to: "1, (*)")
      let third = try story.integrate()
      #expect(third.test("testMultiply")?.state == .passed && third.test("multiplies()")?.state == .passed)
    }

    @Test("What a program runs that outlives its test is nobody's, which the map says, and everything runs")
    func outliving() throws {
      var story = try Story(Self.tests(leaving: Self.leaving))
      let first = try story.integrate()
      #expect(first.document.outcome == .succeeded, "\(first.document.reasons)")
      let gaps = try #require(first.coverage.testMap?.gaps)
      #expect(gaps.count == 1 && gaps[0].hasPrefix("Tests started programs of the package; what "))
      #expect(gaps[0].hasSuffix(" of these ran is told of no test."))
      try story.change("Add otherwise", "0, +", to: "0, (+)")
      let second = try story.integrate()
      #expect(second.document.tests.only?.everything == .incompleteMap)
      #expect(second.document.tests.passed == 4)
    }

    @Test("What a program runs is its test's, also with an environment of its own, and by a fork and a link")
    func replaced() throws {
      var story = try Story(Self.tests(leaving: Self.forking, environment: #"["A": "b"]"#))
      let first = try story.integrate()
      #expect(first.document.outcome == .succeeded, "\(first.document.reasons)")
      #expect(first.coverage.testMap?.tests == 4 && first.coverage.testMap?.gaps == nil)
      #expect(
        try story.tests(ofLine: 2) == "SumsTests.ForkingTests/testAdd\nSumsTests.SumsTests/testAdd\n")
      #expect(try story.tests(ofLine: 6) == "SumsTests.SumsTests/testMultiply\nSumsTests.multiplies()\n")
      let lines = try #require(first.document.coverage.lines)
      #expect(lines.total > 0 && lines.covered == lines.total, "\(lines)")
    }

    /// A package whose tests do nothing but start its program.
    private struct Story {
      let program: Program
      private let scratch: ScratchFolder
      private let repository: GitFolder
      private var number = 0
      private var text = StartedProgramsTests.text

      private static let shared = Result { try ScratchFolder("started-programs") }

      init(_ tests: String) throws {
        scratch = try Self.shared.get()
        try scratch.beginAnew()
        program = Program(scratch: scratch)
        repository = try GitFolder(StartedProgramsTests.bot, in: scratch)
        try repository.commit(
          "Begin",
          [
            "Package.swift": StartedProgramsTests.manifest,
            StartedProgramsTests.main: text, "Tests/SumsTests/SumsTests.swift": tests,
          ])
      }

      mutating func change(_ message: String, _ old: String, to new: String) throws {
        text = text.replacing(old, with: new)
        try repository.commit(message, [StartedProgramsTests.main: text])
      }

      /// The tests that ran a line of the program in the first integration, a line of text each.
      func tests(ofLine line: Int) throws -> String {
        try program.run(
          "show", "\(StartedProgramsTests.bot)/1", "--tests-of", "\(StartedProgramsTests.main):\(line)"
        ).output
      }

      mutating func integrate() throws -> Integrated {
        number += 1
        var bot = Bot(name: StartedProgramsTests.bot, repository: repository.path)
        bot.tests.only = .affected
        let commit = CommitID(rawValue: String(try repository.git("rev-parse", "HEAD").prefix { $0.isHexDigit }))
        let order = IntegrationOrder(
          bot: bot, number: number, commit: commit, branch: "main", cause: .commit, queuedAt: Date())
        let status = try program.carryOut(order).status
        return try program.integrated(
          number, of: StartedProgramsTests.bot, run: Program.Run(status: status, output: "", errors: ""))
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

    /// - Parameters:
    ///   - leaving: another class of tests.
    ///   - environment: what the programs get; nothing to inherit it.
    private static func tests(leaving: String, environment: String = "nil") -> String {
      """
      import Foundation
      import Testing
      import XCTest

      private var sumsProgram: URL { Bundle.main.bundleURL.appendingPathComponent("sums") }

      private func sums(_ arguments: String...) throws -> String {
        let program = Process()
        program.executableURL = sumsProgram
        program.arguments = arguments
        let environment: [String: String]? = \(environment)
        if let environment { program.environment = environment }
        let output = Pipe()
        program.standardOutput = output
        try program.run()
        program.waitUntilExit()
        return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      }

      final class SumsTests: XCTestCase {
        func testAdd() throws { XCTAssertEqual(try sums("add", "2", "3"), "5\\n") }
        func testMultiply() throws { XCTAssertEqual(try sums("multiply", "2", "3"), "6\\n") }
      }

      @Test func multiplies() throws { #expect(try sums("multiply", "3", "3") == "9\\n") }
      \(leaving)
      """
    }
  }
}
