import Glibc
import Model
import Parsing
import Processes

extension IntegrationRun {
  /// Returns the conditions in functions that ran, or only the changed ones of these if no more was requested.
  ///
  /// - Parameter symbols: the names of the functions and of what is in them.
  func conditions(
    in functions: [MutationPlan.Candidate], _ symbols: [String], _ sources: MutatedSources, _ map: TestMap,
    _ session: TestSession, _ record: inout StepRecord
  ) throws -> [ConditionSites.Site] {
    guard !symbols.isEmpty else { return [] }
    let jumps = try jumps(in: symbols, of: session.executable.path, &record)
    let addresses = jumps.map { "0x\(String($0.address, radix: 16))\n" }.joined()
    let places = try session.places(of: addresses, in: session.executable.path)
    let sites = ConditionSites(jumps, at: places, map: map, scope: request.mutants)
    // What is in a function within another one belongs to the inner one.
    var seen: Set<UInt64> = []
    return functions.sorted { $0.body.start > $1.body.start }.flatMap { candidate in
      (sources[candidate.path].map { sites.sites(in: candidate, $0) } ?? []).filter {
        seen.insert($0.opposite.address).inserted
      }
    }
  }

  private func jumps(
    in symbols: [String], of executable: String, _ record: inout StepRecord
  ) throws -> [ConditionalJump] {
    // There may be more of them than fit in a command line.
    let (folder, arguments) = (kept.folder("coverage"), "disassembled")
    try folder.create(arguments, Array("--disassemble-symbols=\(symbols.joined(separator: ","))\n".utf8))
    defer { unlink(folder.file(arguments)) }
    let output = try tool("llvm-objdump", ["-d", "@\(folder.file(arguments))", executable], &record)
    return ConditionalJump.read(output.standardOutput)
  }
}
