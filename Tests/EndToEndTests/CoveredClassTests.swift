import Model
import Testing

extension Integrations {
  @Suite("Coverage of the worked cases")
  struct CoveredClassTests {
    private let story: ExamplesStory

    init() throws {
      story = try ExamplesStory.told.get()
    }

    /// The counts beside consecutive lines of a module's source, beginning with a function's first line.
    private func gutter(_ part: Integrated, _ module: String, from text: String, count: Int) throws -> [String] {
      let path = "Sources/\(module)/CoveredClass.swift"
      let source = try #require(try ExamplesPackage.files()[path])
      let first = try #require(source.line(with: text))
      let gutter = try part.report.gutter("coverage/Sources-\(module)-CoveredClass.swift.html")
      return (first..<first + count).map { gutter[$0] ?? "" }
    }

    private func maximum(_ selection: String) throws -> (Integrated, IntegrationRecord.File) {
      let part = try story.part(selection)
      return (part, try #require(part.file("Sources/Maximum/CoveredClass.swift")))
    }

    @Test("A failing test that reaches nothing leaves seven lines that never ran")
    func step1() throws {
      let (part, file) = try maximum("MaximumTests/test_zero")
      #expect(part.document.outcome == .testFailures)
      #expect(part.test("test_zero")?.state == .failed)
      #expect(file.lines == LineTally(total: 7, covered: 0, partial: 0))
      #expect(file.regions == Tally(total: 4, covered: 0))
      #expect(file.functions == Tally(total: 1, covered: 0))
      #expect(
        try gutter(part, "Maximum", from: "func max", count: 7) == ["0", "0", "0", "0", "0", "0", "0"])
    }

    @Test("One way through an if leaves the other half red, with the line between them partly run")
    func step2() throws {
      let (part, file) = try maximum("MaximumTests/test_max_withoutAssertion")
      #expect(file.lines == LineTally(total: 7, covered: 5, partial: 1))
      #expect(file.regions == Tally(total: 4, covered: 3))
      #expect(file.functions == Tally(total: 1, covered: 1))
      #expect(
        try gutter(part, "Maximum", from: "func max", count: 7) == ["1", "1", "1", "1", "0", "0", "1"])
      let source = try #require(try ExamplesPackage.files()["Sources/Maximum/CoveredClass.swift"])
      let line = try #require(source.line(with: "} else {"))
      #expect(try part.report.partlyRan("coverage/Sources-Maximum-CoveredClass.swift.html") == [line])
    }

    @Test("Both ways cover everything, the closing brace too")
    func step4() throws {
      let (part, file) = try maximum("MaximumTests/test_max_with[13]")
      #expect(file.lines == LineTally(total: 7, covered: 7, partial: 0))
      #expect(file.regions == Tally(total: 4, covered: 4))
      #expect(
        try gutter(part, "Maximum", from: "func max", count: 7) == ["2", "2", "1", "1", "1", "1", "2"])
    }

    @Test("A loop's body counts its rounds")
    func step6() throws {
      let part = try story.part("LoopTests/test_commaSeparated_from2to4")
      let file = try #require(part.file("Sources/Loop/CoveredClass.swift"))
      #expect(file.lines == LineTally(total: 15, covered: 8, partial: 0))
      #expect(file.regions == Tally(total: 7, covered: 3))
      #expect(file.functions == Tally(total: 2, covered: 1))
      #expect(
        try gutter(part, "Loop", from: "func commaSeparated", count: 8) == ["1", "1", "2", "2", "2", "1", "1", "1"])
    }

    @Test("A round without a pass hides behind one with two")
    func step7() throws {
      let part = try story.part("LoopTests")
      let file = try #require(part.file("Sources/Loop/CoveredClass.swift"))
      #expect(file.lines == LineTally(total: 15, covered: 15, partial: 0))
      #expect(
        try gutter(part, "Loop", from: "func commaSeparated", count: 8) == ["2", "2", "2", "2", "2", "2", "2", "2"])
    }

    @Test("What is reached by the way counts as run; the operand that was not chosen does not")
    func step8() throws {
      let part = try story.part("AreaTests")
      let file = try #require(part.file("Sources/Area/CoveredClass.swift"))
      #expect(file.lines == LineTally(total: 30, covered: 15, partial: 1))
      #expect(file.regions == Tally(total: 13, covered: 5))
      #expect(file.functions == Tally(total: 6, covered: 4))
      #expect(try gutter(part, "Area", from: "didSet", count: 5) == ["1", "1", "1", "1", "1"])
      #expect(try gutter(part, "Area", from: "public init()", count: 4) == ["1", "1", "1", "1"])
      #expect(try gutter(part, "Area", from: "func redOrGreen", count: 3) == ["1", "1", "1"])
      #expect(try gutter(part, "Area", from: "func drawSquare", count: 3) == ["1", "1", "1"])
    }

    @Test("Sources that no test reaches are counted")
    func totals() throws {
      let part = try story.part("CookieFactoryTests")
      #expect(
        part.coverage.files?.map(\.path) == [
          "Sources/Area/CoveredClass.swift", "Sources/CookieFactory/Cookie.swift",
          "Sources/CookieFactory/CookieController.swift", "Sources/CookieFactory/CookieDisplay.swift",
          "Sources/LifeCycle/MyClass.swift", "Sources/Loop/CoveredClass.swift", "Sources/Maximum/CoveredClass.swift",
        ])
      #expect(Set(part.coverage.files?.map(\.target) ?? []).count == 5)
    }
  }

  @Suite("The cookie factory")
  struct CookieFactoryTests {
    private let story: ExamplesStory
    private let factory: Integrated

    init() throws {
      story = try ExamplesStory.told.get()
      factory = try story.part("CookieFactoryTests")
    }

    @Test("Has 27 tests, and all of them pass")
    func tests() {
      #expect(factory.run.status == 0)
      #expect(factory.document.tests.listed == 27)
      #expect(factory.document.tests.passed == 27)
      #expect(factory.document.tests.cases.count { $0.id.suite == "CookieTests" } == 6)
      #expect(factory.document.tests.cases.count { $0.id.suite == "CookieControllerTests" } == 21)
    }

    @Test("Counts 27 of 62 lines, and no line of a test")
    func lines() {
      let files = factory.coverage.files?.filter { $0.target == "CookieFactory" } ?? []
      #expect(files.map(\.lines.covered) == [4, 23, 0])
      #expect(files.map(\.lines.total) == [4, 23, 35])
      #expect(factory.coverage.complete)
      #expect(factory.coverage.files?.contains { $0.path.hasPrefix("Tests/") } == false)
    }

    @Test(
      "Counts the calls",
      arguments: [
        ("Cookie", "public init(name:", "18"), ("CookieController", "public init()", "21"),
        ("CookieController", "public func reset()", "6"), ("CookieController", "public func addGingerbread()", "4"),
        ("CookieController", "public func addShortbread()", "4"),
        ("CookieController", "public func addChocolateChip()", "4"),
        ("CookieDisplay", "public func resetPressed()", "0"), ("CookieDisplay", "private func refresh()", "0"),
      ])
    func calls(file: String, text: String, count: String) throws {
      let source = try #require(try ExamplesPackage.files()["Sources/CookieFactory/\(file).swift"])
      let line = try #require(source.line(with: text))
      #expect(try factory.report.gutter("coverage/Sources-CookieFactory-\(file).swift.html")[line] == count)
    }

    @Test("Without its cookie it does not build, and the first page says so")
    func withoutCookie() throws {
      let red = story.withoutCookie
      #expect(red.run.status == 1)
      #expect(red.document.outcome == .buildErrors)
      let errors = red.document.issues.filter { $0.kind == .error }
      #expect(errors.count > 1)
      #expect(errors.allSatisfy { $0.status == .new })
      #expect(errors.contains { $0.message == "cannot find 'Cookie' in scope" })
      #expect(errors.allSatisfy { $0.file?.hasPrefix("Sources/CookieFactory/") == true && $0.line != nil })
      #expect(red.document.reasons == ["The build failed with \(errors.count) errors."])
      #expect(red.document.tests.listed == 0)
      #expect(!red.coverage.available)
      #expect(red.run.output.contains("error: cannot find 'Cookie' in scope\n"))
      #expect(try red.report.words("index.html").contains("cannot find 'Cookie' in scope"))
      #expect(try red.report.brokenLinks() == [])
    }

    @Test("Every round after the first found nothing to build")
    func builtOnce() {
      #expect(factory.step(.building)?.exitStatus == 0)
      #expect(story.rounds.count > 1)
      for round in story.rounds.dropFirst() { #expect(round.step(.building)?.exitStatus == nil) }
    }
  }

  @Suite("A test process that crashes")
  struct CrashExampleTests {
    private let story: ExamplesStory

    init() throws {
      story = try ExamplesStory.told.get()
    }

    @Test("Tells which test crashed, and runs the next one in a process of its own")
    func states() throws {
      let part = try story.part("CrashingTests")
      let cases = part.document.tests.cases.filter { $0.id.suite == "CrashingTests" }
      #expect(cases.map(\.id.name) == ["test_1", "test_2", "test_3"])
      #expect(cases.map(\.state) == [.passed, .crashed, .passed])
      #expect(part.document.outcome == .testFailures)
      #expect(part.run.status == 1)
      #expect(part.document.reasons.first == "1 test crashed.")
      #expect(part.addsUp)
      #expect(part.document.issues.map(\.kind) == [.crash])
      #expect(part.document.issues.first?.test?.name == "test_2")
    }

    @Test("Leaves the counts of what ran before it, not zero")
    func coverage() throws {
      let part = try story.part("CrashingTests")
      #expect(part.coverage.available)
      #expect(part.coverage.complete)
      #expect(part.file("Sources/Maximum/CoveredClass.swift")?.lines.covered == 7)
      #expect(try part.report.brokenLinks() == [])
    }

    @Test("Does not keep the other library from running, and the counts of both add up")
    func otherLibrary() throws {
      let part = try story.part("CrashingTests")
      #expect(part.test("maximumOfTwo()")?.state == .passed)
      #expect(part.document.tests.listed == 4)
      #expect(part.document.tests.crashed == 1)
      #expect(part.document.tests.notRun == 0)
      let gutter = try part.report.gutter("coverage/Sources-Maximum-CoveredClass.swift.html")
      let source = try #require(try ExamplesPackage.files()["Sources/Maximum/CoveredClass.swift"])
      let line = try #require(source.line(with: "return y"))
      #expect(gutter[line] == "2")
    }

    @Test("Says where it crashed")
    func place() throws {
      let test = try #require(try story.part("CrashingTests").test("test_2"))
      #expect(test.failures.first?.line == ExamplesPackage.crash.line(with: "none!"))
      #expect(test.failures.first?.message.contains("Unexpectedly found nil") == true)
    }
  }
}
