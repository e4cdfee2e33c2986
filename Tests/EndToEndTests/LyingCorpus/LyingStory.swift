import FoundationEssentials
import Glibc
import Integrating
import Model
import Processes
import Rendering
import Synchronization

/// The home and the package in which the cases of the corpus are carried out, one after the other.
final class LyingStory: Sendable {
  /// What came of one integration, which several cases may share.
  private struct Joint: Sendable {
    var document: IntegrationRecord
    /// What is wrong with all of it.
    var faults: [String]
    var survivors: Int
  }

  private let scratch: ScratchFolder
  private let package: LyingPackage
  private let program: Program
  private let bystanders: Bystanders
  private let marker = "lying-corpus-\(UInt64.random(in: 0 ... .max))"
  /// What stands in a file that no test may read.
  private let secret = "PRIVATE-\(UInt64.random(in: 0 ... .max))"
  /// What stands in the sources, and is a secret where a request says so.
  private let token = "TOKEN-\(UInt64.random(in: 0 ... .max))"
  private let sights = Mutex<[LyingSight]>([])
  private let joints = Mutex<[LyingCase.Company: Joint]>([:])

  init() throws {
    scratch = try ScratchFolder("lying")
    bystanders = try Bystanders(in: scratch.path)
    try scratch.write(secret, to: "private")
    package = try LyingPackage(
      in: scratch, replacing: ["SCRATCH": scratch.path, "PORT": "\(bystanders.port)", "TOKEN": token])
    // Of the variables that reach a test, `CI` is the one that nothing depends on.
    program = Program(scratch: scratch, environment: ["CI": marker])
  }

  /// Carries a case out, and gives what was seen of it and a line that tells.
  func tell(_ lie: LyingCase) throws -> (sight: LyingSight, line: String) {
    let start = SuspendingClock.now
    let sight = try carryOut(lie)
    sights.withLock { $0.append(sight) }
    return (sight, Self.line(lie, sight, after: start.duration(to: .now)))
  }

  /// What came of all cases so far.
  var totals: String {
    let sights = sights.withLock(\.self)
    let right = sights.count { $0.faults.isEmpty }
    let greens = sights.count(where: \.isWrongGreen)
    let survivors = sights.map(\.survivors).max() ?? 0
    return
      "\(sights.count) cases, \(right) as expected; wrong greens \(greens), processes surviving \(survivors), other processes touched \(bystanders.touched)"
  }

  private func carryOut(_ lie: LyingCase) throws -> LyingSight {
    let joint = try joint(of: lie)
    let (document, isAlone) = (joint.document, lie.company == nil)
    let own = try isAlone ? document.tests.cases : document.tests.cases.filter { try $0.id.isSelected(by: lie.filter) }
    let states = own.map(\.state)
    let outcome = isAlone ? document.outcome : Self.outcome(of: states)
    var faults = joint.faults
    if [outcome, document.outcome] != [lie.outcome, lie.outcome] { faults.append("the outcome") }
    if let expected = lie.states, states != expected { faults.append("the states") }
    if let words = lie.says, !Self.words(of: document, own, isAlone: isAlone).contains(words) {
      faults.append("the words “\(words)”")
    }
    return LyingSight(
      outcome: outcome, states: states, faults: faults, survivors: joint.survivors,
      isWrongGreen: lie.outcome.isRed && !(outcome.isRed && document.outcome.isRed))
  }

  /// Integrates, unless another case of the company did.
  private func joint(of lie: LyingCase) throws -> Joint {
    if let company = lie.company, let joint = joints.withLock({ $0[company] }) { return joint }
    var faults: [String] = []
    let document = try lie.limits.map { try integrate(lie, limits: $0) } ?? runProgram(lie, &faults)
    if document.tests.counts.listed != document.tests.cases.count { faults.append("the sum") }
    let breaches =
      ["by-plugin", "by-test"].filter(scratch.exists) + leaks(of: secret, in: document)
      + (lie.limits == nil ? [] : leaks(of: token, in: document))
    faults += breaches.map { "a breach: \($0)" }
    if bystanders.touched > 0 { faults.append("a breach: a process outside") }
    if bystanders.wasCalled { faults.append("a breach: a service outside") }
    let joint = Joint(document: document, faults: faults, survivors: Bystanders.processes(marked: marker))
    if let company = lie.company { joints.withLock { $0[company] = joint } }
    return joint
  }

  /// What an integration of tests with these states comes to.
  private static func outcome(of states: [TestState]) -> Outcome {
    if states.contains(where: \.isRed) { return .testFailures }
    return states.isEmpty || states.contains(.notRun) || states.contains(.canceled) ? .incomplete : .succeeded
  }

  /// Runs the program as a user would.
  private func runProgram(_ lie: LyingCase, _ faults: inout [String]) throws -> IntegrationRecord {
    let integrated = try program.integrate(
      package.repository.path, "--commit", package.commits[lie.version] ?? "HEAD", "--branch", "main", "--filter",
      lie.wholeFilter, "--sandbox", "on", "--quiet", bot: LyingPackage.bot)
    if let most = lie.mostMemory {
      if integrated.run.peakMemory > most { faults.append("\(integrated.run.peakMemory) bytes of memory") }
      if !Self.isCut("\(integrated.kept)/log/testing.log") { faults.append("the log") }
    }
    return integrated.document
  }

  /// Whether a log keeps its first and its last fifty million bytes, and says so between them.
  private static func isCut(_ log: String) -> Bool {
    let file = open(log, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 200)
    guard pread(file, &bytes, bytes.count, 50_000_000) == bytes.count else { return false }
    let size = lseek(file, 0, SEEK_END)
    return (100_000_000...100_001_000).contains(size) && String(decoding: bytes, as: UTF8.self).contains(" bytes ")
  }

  /// Integrates with limits, which the program's command line does not have, in the same home.
  private func integrate(_ lie: LyingCase, limits: TestLimits) throws -> IntegrationRecord {
    let integrator = Integrator(
      home: Home(scratch.file("home")), templates: try ReportTemplates(folder: Checkout.folder("templates")),
      environment: program.variables, clock: .system, time: LocalTime { _ in 0 }, cancellation: try Cancellation(),
      progress: { _ in })
    var bot = Bot(name: "", repository: package.repository.path)
    bot.buildSystem = Program.buildSystem
    bot.sandbox = SandboxPolicy(mode: .on)
    bot.tests.filter = [lie.wholeFilter]
    bot.tests.limits = limits
    let commit = package.commits[lie.version] ?? "HEAD"
    var request = IntegrationRequest(bot, .revision(commit, branch: "main"), queuedAt: Date())
    request.secrets = [token]
    request.resources = ResourceLimits(memory: 400 << 20, processes: 60, fileSize: 30_000_000)
    return try IntegrationRecord(json: integrator.integrate(request).document)
  }

  /// Everything that the document says in sentences of these tests; where others ran with them, their issues are not
  /// told apart.
  private static func words(
    of document: IntegrationRecord, _ tests: [IntegrationRecord.Case], isAlone: Bool
  ) -> String {
    (document.reasons + (isAlone ? document.issues.map(\.message) : [])
      + tests.flatMap { $0.failures.map(\.message) }).joined(separator: "\n")
  }

  /// Files of the newest integration that hold what they must not; links are not followed.
  private func leaks(of secret: String, in document: IntegrationRecord) -> [String] {
    ["home/site", "home/integrations"].flatMap { top in
      let folder = "\(top)/\(LyingPackage.bot)/\(document.number)"
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: scratch.file(folder))) ?? []
      return names.map { "\(folder)/\($0)" }.filter { name in
        var status = stat()
        guard lstat(scratch.file(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size < 1 << 22,
          let data = try? Data(contentsOf: URL(filePath: scratch.file(name)))
        else { return false }
        return String(decoding: data, as: UTF8.self).contains(secret)
      }
    }
  }

  private static func line(_ lie: LyingCase, _ sight: LyingSight, after time: Duration) -> String {
    let isRight = sight.faults.isEmpty && sight.survivors == 0
    let verdict = isRight ? "ok" : "WRONG"
    let seconds = time.components.seconds * 10 + time.components.attoseconds / 100_000_000_000_000_000
    let wrong = sight.faults.isEmpty ? "" : " | wrong: \(sight.faults.joined(separator: ", "))"
    let seen = LyingCase.words(sight.outcome, sight.states)
    return
      "\(verdict) | \(lie.name) | expected \(lie.expectation) | seen \(seen) | \(seconds / 10).\(seconds % 10) s\(wrong)"
  }
}

extension Outcome {
  /// Whether nobody can take it for green.
  fileprivate var isRed: Bool {
    switch self {
    case .succeeded, .warnings, .analyzerWarnings: false
    default: true
    }
  }
}
