import Git
import Glibc
import Model
import Parsing
import Processes

/// What was read of a process at a limit, before it was stopped.
struct ProcessSnapshot {
  /// The output of the stack reader.
  var stacks: [UInt8] = []
  /// Why there are no stacks.
  var problem: String?
  var isStopped = false
  var isRunning = false
  var children: [String] = []
}

extension TestSession {
  /// Reads the stacks of all threads of a test process that is still alive.
  ///
  /// The Swift runtime's backtracer cannot do that from outside.
  func examine(_ tree: ProcessTree) -> ProcessSnapshot {
    let members = tree.members()
    guard let process = testProcess(in: members) else {
      return ProcessSnapshot(problem: "The process was gone before its backtraces could be read.")
    }
    var processSnapshot = ProcessSnapshot(
      isStopped: process.state == "T", isRunning: process.state == "R")
    processSnapshot.children = members.filter { $0.parent == process.pid }.map(\.name)
    let number = surroundings.sandbox == nil ? process.pid : process.innerPID
    var command = Command(
      "eu-stack", ["-b", "-m", "-n", "256", "-p", "\(number)"], environment: surroundings.environment,
      workingDirectory: "/")
    do {
      // Bubblewrap would not distinguish a missing program from other failures.
      command.executable = try command.lookUp()
      // It reads a program that the package made, so it gets access to no more than that.
      command = command.contained(in: surroundings.sandbox?.looking(at: process.pid))
      let output = try command.collect(
        limits: Limits(wallClock: .seconds(10)), cancellation: Cancellation(), limit: 32 << 20)
      processSnapshot.stacks = output.standardOutput
      if !output.standardOutput.contains(UInt8(ascii: "#")) {
        let words = String(decoding: output.standardError.prefix(300), as: UTF8.self)
        processSnapshot.problem = "eu-stack could not read the backtraces: \(words)"
      }
    } catch let error as ProcessError where error.code == .notFound {
      processSnapshot.problem =
        "The backtraces were not read, because there is no eu-stack: install the package elfutils."
    } catch {
      processSnapshot.problem = "The backtraces were not read: \(error)"
    }
    return processSnapshot
  }

  /// Turns what was read into a report.
  func hang(of process: String, rule: String, _ processSnapshot: ProcessSnapshot) -> HangReport {
    var report = HangReport(rule: rule, children: processSnapshot.children, problem: processSnapshot.problem)
    guard processSnapshot.problem == nil else { return report }
    let stacks: [ThreadStack]
    do {
      stacks = try self.stacks(processSnapshot)
      try output.kept.folder("hangs").create().create("\(process).txt", processSnapshot.stacks)
      report.file = "hangs/\(process).txt"
    } catch {
      report.problem = "The backtraces could not be put into words: \(error)"
      return report
    }
    let diagnosis = HangDiagnosis(
      stacks, isStopped: processSnapshot.isStopped, isRunning: processSnapshot.isRunning,
      poolWidth: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    report.kind = diagnosis.kind
    report.threads = diagnosis.threads
    report.otherThreads = diagnosis.otherThreads
    return report
  }

  private func stacks(_ processSnapshot: ProcessSnapshot) throws -> [ThreadStack] {
    let dump = StackDump(processSnapshot.stacks)
    var places: [String: [UInt64: SourceLocation]] = [:]
    for image in executable.images {
      // The kernel reports files without links.
      let module = image.withoutLinks
      places[module] = try self.places(ofRunning: dump.offsets(in: module), in: image)
    }
    return dump.stacks(names: try names(of: dump.symbols), places: places)
  }

  /// Returns the readable names of symbols, by symbol.
  func names(of symbols: [String]) throws -> [String: String] {
    try Demangling.parse(ask("swift-demangle", ["--simplified"], Demangling.input(for: symbols)), for: symbols)
  }

  /// Returns the places in the package of addresses in a program, which are given in lines.
  func places(of addresses: String, in image: String) throws -> [UInt64: SourceLocation] {
    SymbolizedPlaces.read(try symbolize(addresses, in: image), relativise: surroundings.paths.relative)
  }

  /// How far behind code that belongs to no line that of a line is looked for, and in which steps, in bytes.
  private static let reach = (bytes: UInt64(256), step: 4)

  /// Returns the places in the package of what is running; code that belongs to no line stands with that behind it in its
  /// function, whose runs it counts, otherwise where that begins.
  private func places(ofRunning offsets: [UInt64], in image: String) throws -> [UInt64: SourceLocation] {
    func lines(_ addresses: some Sequence<UInt64>) -> String {
      addresses.map { "0x\(String($0, radix: 16))\n" }.joined()
    }
    let (answer, relative) = (try symbolize(lines(offsets), in: image), surroundings.paths.relative)
    var places = SymbolizedPlaces.read(answer, orFunction: true, relativise: relative)
    let lineless = SymbolizedPlaces.lineless(answer, relativise: relative)
    func behind(_ address: UInt64) -> StrideTo<UInt64> {
      stride(from: address, to: address &+ Self.reach.bytes, by: Self.reach.step)
    }
    let more = try symbolize(lines(lineless.keys.flatMap(behind)), in: image)
    let (nearby, starts) = (SymbolizedPlaces.read(more, relativise: relative), SymbolizedPlaces.starts(more))
    for (address, start) in lineless {
      let first = behind(address).first { nearby[$0] != nil && starts[$0] == start }
      if let place = first.flatMap({ nearby[$0] }) { places[address] = place }
    }
    return places
  }

  private func symbolize(_ addresses: String, in image: String) throws -> [UInt8] {
    try ask("llvm-symbolizer", ["--obj=\(image)", "--output-style=JSON", "--no-demangle"], addresses)
  }

  /// Gives a tool of the toolchain a text to read, and returns its output.
  private func ask(_ tool: String, _ arguments: [String], _ input: String) throws -> [UInt8] {
    guard !input.isEmpty else { return [] }
    let name = "\(tool).input"
    try output.kept.write(input, to: name)
    defer { unlink(output.kept.file(name)) }
    let command = Command(
      surroundings.toolchain.program(tool), arguments, environment: surroundings.environment, workingDirectory: "/",
      standardInput: output.kept.file(name)
    ).contained(in: surroundings.sandbox)
    return try command.collect(
      limits: Limits(wallClock: .seconds(60)), cancellation: allowance.cancellation, limit: 64 << 20
    ).standardOutput
  }
}
