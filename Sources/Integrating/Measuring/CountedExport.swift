import Glibc
import Model
import Parsing
import Processes

/// The counters of all test processes together.
struct CountedExport {
  var export: CoverageExport
  /// The programs to which the counters belong; nil if only the toolchain's own tools know the format.
  var programs: MappedPrograms?
  /// What these counted; nil likewise.
  var totals: CounterTotals?
  /// The numbers of raw profiles that were read, and that could not be.
  var read: Int
  var rejected: Int
  /// Why lines that ran may be shown as never run.
  var missing: [String]
}

/// The counter files that test processes left.
struct RawProfiles {
  var folder: Folder
  /// Relative to the folder: all that were found, and those that may be read.
  var found: [String]
  var readable: [String]
}

extension IntegrationRun {
  /// - Parameter binaries: the files with the code of the tests, and the object files of modules that no test
  ///   executable contains, so that their lines count.
  func countedExport(
    of tests: TestRun, _ binaries: [String], _ observation: PendingObservation, _ record: inout StepRecord
  ) throws -> CountedExport {
    var lostCounters = tests.lostCounters
    let profiles = try rawProfiles(observation, &lostCounters)
    guard !profiles.readable.isEmpty else {
      throw CoverageFailure(
        description: (["No test process left its counters."] + lostCounters.prefix(1)).joined(separator: " "))
    }
    var counted: CountedExport
    do {
      counted = try read(profiles, of: binaries)
    } catch is ParsingError {
      // The toolchain's own tools know every format that it writes.
      counted = try export(profiles, of: binaries, &record)
    }
    counted.rejected += profiles.found.count - profiles.readable.count
    counted.missing = missingCounters(lostCounters, rejected: counted.rejected, of: profiles.found.count)
    return counted
  }

  /// Reads the counters without any other program.
  /// - Throws: a `ParsingError` if no counters can be read, or if a program cannot be read.
  private func read(_ profiles: RawProfiles, of binaries: [String]) throws -> CountedExport {
    var totals = CounterTotals()
    var rejections: [ParsingError] = []
    for name in profiles.readable {
      do {
        try totals.add(profiles.folder.read(name) ?? [])
      } catch let error as ParsingError {
        rejections.append(error)
      }
    }
    if rejections.count == profiles.readable.count, let error = rejections.first { throw error }
    var programs = MappedPrograms()
    for binary in binaries {
      try programs.add(image: contents(of: binary), withValueMakersOf: request.mapsTests ? binary : nil)
    }
    return CountedExport(
      export: programs.export(totals), programs: programs, totals: totals,
      read: profiles.readable.count - rejections.count,
      rejected: rejections.count, missing: [])
  }

  /// Reads the counters with the toolchain's tools.
  private func export(_ profiles: RawProfiles, of binaries: [String], _ record: inout StepRecord) throws
    -> CountedExport
  {
    let raw = profiles.readable.map(profiles.folder.file)
    let merged = placeForCounters("merged.profdata")
    let merge = try tool("llvm-profdata", Self.mergeArguments(merged) + raw, &record)
    let counts = ProfileMerge(
      standardError: merge.standardError,
      inputs: raw.map { ProfileMerge.Input(path: $0, byteCount: Int(stat($0)?.st_size ?? 0)) })
    guard merge.result.succeeded else {
      throw CoverageFailure(description: "None of the \(raw.count) profiles could be read by llvm-profdata.")
    }
    let others = binaries.dropFirst().flatMap { ["--object", $0] }
    let answer = try tool(
      "llvm-cov", ["export", "--instr-profile", merged, "--skip-expansions"] + binaries.prefix(1) + others, &record)
    guard answer.result.succeeded else {
      let words = String(decoding: answer.standardError.prefix(500), as: UTF8.self)
      throw CoverageFailure(description: "llvm-cov could not read the counters: \(words)")
    }
    return try CountedExport(
      export: .read(answer.standardOutput), read: counts.read, rejected: raw.count - counts.read, missing: [])
  }

  private func rawProfiles(_ observation: PendingObservation, _ lostCounters: inout [String]) throws -> RawProfiles {
    // If counters are handed over, files are ignored, since anybody could have written them.
    if try continuousCounters.areUsed && observation.observation().observer != nil {
      let names = provenProfiles.names()
      return RawProfiles(folder: provenProfiles, found: names, readable: names)
    }
    let handed = handedProfiles(&lostCounters)
    return RawProfiles(
      folder: claimed.workspace.tests.handed, found: handed, readable: handed.filter(isProfileReadable))
  }

  func contents(of binary: String) throws -> [UInt8] {
    let parts = binary.split(separator: "/")
    guard let name = parts.last, let bytes = Folder("/" + parts.dropLast().joined(separator: "/")).read(String(name))
    else { throw CoverageFailure(description: "The program \(binary) cannot be read.") }
    return bytes
  }
}
