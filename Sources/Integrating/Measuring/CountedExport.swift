import Glibc
import Model
import Parsing
import Processes

/// What the counters of all test processes say together.
struct CountedExport {
  var export: CoverageExport
  /// The programs that they are of; nil where only the toolchain's own tools know their format.
  var programs: MappedPrograms?
  /// How many raw profiles were read, and how many could not be.
  var read: Int
  var rejected: Int
  /// Why lines may be shown as never run although they ran.
  var missing: [String]
}

/// The files of counters that test processes left.
struct RawProfiles {
  var folder: Folder
  /// Relative to the folder; as they were found, and without those that must not be read.
  var found: [String]
  var readable: [String]
}

extension IntegrationRun {
  /// - Parameter binaries: the files that hold the code of the tests, and the object files of modules that no test
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
      // The tools of the toolchain know what it writes, whatever it is.
      counted = try export(profiles, of: binaries, &record)
    }
    counted.rejected += profiles.found.count - profiles.readable.count
    counted.missing = missingCounters(lostCounters, rejected: counted.rejected, of: profiles.found.count)
    return counted
  }

  /// Reads the counters without any other program.
  /// - Throws: a `ParsingError` where none of them can be read, or a program cannot.
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
    for binary in binaries { try programs.add(image: contents(of: binary)) }
    return CountedExport(
      export: programs.export(totals), programs: programs, read: profiles.readable.count - rejections.count,
      rejected: rejections.count, missing: [])
  }

  /// Has the toolchain's tools read the counters.
  private func export(_ profiles: RawProfiles, of binaries: [String], _ record: inout StepRecord) throws
    -> CountedExport
  {
    let raw = profiles.readable.map(profiles.folder.file)
    let merged = placeForCounters("merged.profdata")
    let merge = try tool("llvm-profdata", Self.mergeArguments(merged) + raw, &record)
    let counts = ProfileMerge(
      standardError: merge.standardError,
      inputs: raw.map { ProfileMerge.Input(path: $0, byteCount: Self.size(of: $0)) })
    guard merge.result.succeeded else {
      throw CoverageFailure(description: "None of the \(raw.count) profiles could be read by llvm-profdata.")
    }
    var answer = try exported(merged, of: binaries, &record)
    guard answer.result.succeeded else {
      let words = String(decoding: answer.standardError.prefix(500), as: UTF8.self)
      throw CoverageFailure(description: "llvm-cov could not read the counters: \(words)")
    }
    return CountedExport(
      export: try answer.stream.finish(), read: counts.read, rejected: raw.count - counts.read, missing: [])
  }

  private func rawProfiles(_ observation: PendingObservation, _ lostCounters: inout [String]) throws -> RawProfiles {
    // Where counters are handed over, anybody could have written a file.
    if try continuousCounters.areUsed && observation.observation().observer != nil {
      let names = provenProfiles.names()
      return RawProfiles(folder: provenProfiles, found: names, readable: names)
    }
    let handed = handedProfiles(&lostCounters)
    return RawProfiles(
      folder: context.claimed.workspace.tests.handed, found: handed, readable: handed.filter(isProfileReadable))
  }

  /// The bytes of a program or library that was built.
  func contents(of binary: String) throws -> [UInt8] {
    let parts = binary.split(separator: "/")
    guard let name = parts.last, let bytes = Folder("/" + parts.dropLast().joined(separator: "/")).read(String(name))
    else { throw CoverageFailure(description: "The program \(binary) cannot be read.") }
    return bytes
  }
}
