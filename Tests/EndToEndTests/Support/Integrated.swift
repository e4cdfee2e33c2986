import FoundationEssentials
import Model

/// One run of `martlet run` that led to an integration, with what it left.
struct Integrated {
  let run: Program.Run
  /// The bytes of `integration.json` beside the report.
  let bytes: [UInt8]
  let document: IntegrationRecord
  let report: ReportFolder
  /// The folder of what is kept of it.
  let kept: String

  var coverage: IntegrationRecord.CoverageSection { document.coverage }

  func test(_ name: String) -> IntegrationRecord.Case? {
    document.tests.cases.first { $0.id.name == name || $0.id.description == name }
  }

  func step(_ name: Step) -> StepRecord? { document.steps.first { $0.name == name } }

  func file(_ path: String) -> IntegrationRecord.File? { document.coverage.files?.first { $0.path == path } }

  /// Whether the counts of tests add up, and to the number of cases.
  var addsUp: Bool {
    let tests = document.tests
    return tests.listed == tests.cases.count && tests.counts.listed == tests.listed
      && TestState.allCases.allSatisfy { state in
        tests.cases.count { $0.state == state } == tests.count(of: state)
      }
  }
}

extension IntegrationRecord.Tests {
  fileprivate func count(of state: TestState) -> Int {
    switch state {
    case .crashed: crashed
    case .timedOut: timedOut
    case .canceled: canceled
    case .failed: failed
    case .expectedFailure: expectedFailures
    case .skipped: skipped
    case .passed: passed
    case .notRun: notRun
    }
  }
}

extension Decodable {
  /// Reads what the program wrote.
  init(json bytes: some Sequence<UInt8>) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    self = try decoder.decode(Self.self, from: Data(bytes))
  }
}

/// The program ended without an integration where one was expected.
struct NoIntegration: Error, CustomStringConvertible {
  var run: Program.Run

  var description: String { "exit status \(run.status.map(String.init) ?? "none"), \(run.errors)\(run.output)" }
}

extension Program {
  /// Integrates, and reads what the newest integration of the bot left.
  func integrate(_ arguments: String..., bot: String, in folder: String? = nil) throws -> Integrated {
    try integrate(arguments, bot: bot, in: folder)
  }

  func integrate(_ arguments: [String], bot: String, in folder: String? = nil) throws -> Integrated {
    let before = numbers(of: bot)
    let run = try run(["run"] + arguments, in: folder)
    guard let number = numbers(of: bot).subtracting(before).max() else { throw NoIntegration(run: run) }
    return try integrated(number, of: bot, run: run)
  }

  /// Carries an order out, and reads what it left.
  func integrate(_ order: IntegrationOrder) throws -> Integrated {
    let status = try carryOut(order).status
    return try integrated(order.number, of: order.bot.name, run: Run(status: status, output: "", errors: ""))
  }

  /// Reads what an integration left.
  func integrated(_ number: Int, of bot: String, run: Run) throws -> Integrated {
    let report = ReportFolder(path: scratch.file("home/site/\(bot)/\(number)"))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(report.path)/integration.json")))
    return Integrated(
      run: run, bytes: bytes, document: try IntegrationRecord(json: bytes), report: report,
      kept: scratch.file("home/integrations/\(bot)/\(number)"))
  }

  /// Reads the document that is kept of an integration.
  func document(_ number: Int, of bot: String) throws -> IntegrationRecord {
    let file = scratch.file("home/integrations/\(bot)/\(number)/integration.json")
    return try IntegrationRecord(json: Data(contentsOf: URL(filePath: file)))
  }

  /// Reads the documents that are kept of a bot, by number.
  func documents(of bot: String) throws -> [IntegrationRecord] {
    let numbers = scratch.names(in: "home/integrations/\(bot)").compactMap { Int($0) }
    return try numbers.sorted().map { try document($0, of: bot) }
  }

  /// The numbers of the published integrations of a bot.
  func numbers(of bot: String) -> Set<Int> {
    Set(scratch.names(in: "home/site/\(bot)").compactMap { Int($0) })
  }
}
