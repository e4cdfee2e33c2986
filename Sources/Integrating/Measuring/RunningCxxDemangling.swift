import Glibc
import Parsing
import Processes

/// A demangling of C++ names in progress. No toolchain has a program for it, so one is compiled; since it reads names
/// from the code under test, it runs contained and can be stopped.
struct RunningCxxDemangling {
  /// The result of the demangling.
  struct Answer: Sendable {
    /// The names by symbol; a missing symbol has only its mangled name.
    var names: [String: String] = [:]
    /// Why names are missing; nil if none is.
    var problem: String?
    /// The results of the programs, with their costs.
    var results: [ProcessResult] = []
  }

  private static let source = "cxx-names.c"
  private static let symbols = "cxx-symbols"
  /// The name of the compiled program in the folder.
  static let program = "cxx-names"
  static let compilerArguments = ["-O1", source, "-o", program, "-ldl"]

  /// The time limit, longer than all names take.
  private static let longest = Duration.seconds(60)
  private static let addressSpace: UInt64 = 1 << 30
  private static let outputLimit = 256 << 20

  /// The work in progress; nil without symbols.
  private let worker: Worker<Answer>?

  /// Starts to compile the program and run it.
  ///
  /// - Parameters:
  ///   - symbols: mangled C++ names.
  ///   - folder: where the program and the symbols are kept until they are read.
  ///   - compiler: `clang` with `compilerArguments`, run in the folder.
  ///   - program: the compiled program, run in the folder.
  init(
    _ symbols: [String], folder: Folder, compiler: Command, program: Command, cancellation: Cancellation
  ) throws {
    guard !symbols.isEmpty else {
      worker = nil
      return
    }
    try folder.create(Self.source, PackageResources.CxxNames_c)
    try folder.create(Self.symbols, Array(Demangling.input(for: symbols).utf8))
    let left = [Self.source, Self.symbols, Self.program].map(folder.file)
    var reading = program
    reading.standardInput = folder.file(Self.symbols)
    let program = reading
    worker = try Worker {
      defer { for path in left { unlink(path) } }
      var answer = Answer()
      do {
        try Self.ask(program, madeBy: compiler, about: symbols, cancellation, &answer)
      } catch {
        answer.problem = Self.problem("\(error)")
      }
      return answer
    }
  }

  /// Waits for the names.
  /// - Throws: `IntegrationStop` if it was canceled.
  func finish() throws -> Answer {
    let answer = try worker?.join() ?? Answer()
    if answer.results.contains(where: { $0.why == .canceled }) { throw IntegrationStop.canceled }
    return answer
  }

  private static func ask(
    _ program: Command, madeBy compiler: Command, about symbols: [String], _ cancellation: Cancellation,
    _ answer: inout Answer
  ) throws {
    let compiled = try compiler.collect(
      limits: Limits(wallClock: longest), cancellation: cancellation, limit: outputLimit)
    answer.results.append(compiled.result)
    guard compiled.result.succeeded else {
      answer.problem = problem("clang could not compile what reads them", compiled.standardError)
      return
    }
    let told = try program.collect(
      limits: Limits(wallClock: longest, addressSpace: addressSpace), cancellation: cancellation, limit: outputLimit)
    answer.results.append(told.result)
    answer.names = Demangling.parsePart(told.standardOutput, for: symbols)
    if answer.names.count < symbols.count {
      answer.problem = problem("only \(answer.names.count) of \(symbols.count) could be read", told.standardError)
    }
  }

  private static func problem(_ what: String, _ standardError: [UInt8] = []) -> String {
    let words = String(decoding: standardError.prefix(300), as: UTF8.self).split(whereSeparator: \.isNewline).first
    return words.map { "\(what): \($0)" } ?? what
  }
}
