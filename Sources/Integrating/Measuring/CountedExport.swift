import Glibc
import Model
import Parsing
import Processes

/// The counters of all test processes of one build together.
struct CountedExport {
  var counts: BuildCounts
  /// The programs to which the counters belong; nil if only the toolchain's own tools know the format.
  var programs: MappedPrograms?
  /// What these counted; nil likewise.
  var totals: CounterTotals?
}

/// The counters of one build, as llvm-cov exports them.
struct BuildCounts {
  var export: CoverageExport
  /// The numbers of raw profiles that were read, and that could not be.
  var read: Int
  var rejected: Int
  /// Why lines that ran may be shown as never run.
  var missing: [String] = []
  var unbuilt: Set<String> = []
  /// All paths of the folder in which the package was built.
  var scratchFolders: [String] = []
}

/// The counter files that test processes left.
struct RawProfiles {
  var folder: Folder
  /// Relative to the folder: all that were found, and those that may be read.
  var found: [String]
  var readable: [String]
}

extension IntegrationRun {
  func countedExport(
    of tests: TestRun, _ products: BuildProducts, _ record: inout StepRecord
  ) throws -> CountedExport {
    // The object files are those of modules that no test executable contains, so that their lines count.
    let binaries = products.images + products.looseObjects
    var lostCounters = tests.lostCounters
    let profiles = rawProfiles(of: tests, &lostCounters)
    guard !profiles.readable.isEmpty else {
      if tests.model?.hasTestTargets == false { throw CoverageFailure(description: "The package has no test target.") }
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
    counted.counts.rejected += profiles.found.count - profiles.readable.count
    counted.counts.missing = missingCounters(
      lostCounters, rejected: counted.counts.rejected, of: profiles.found.count)
    counted.counts.unbuilt = Set(products.unbuiltSources)
    counted.counts.scratchFolders = PackagePaths(scratch.path).roots
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
    let counts = BuildCounts(
      export: programs.export(totals), read: profiles.readable.count - rejections.count, rejected: rejections.count)
    return CountedExport(counts: counts, programs: programs, totals: totals)
  }

  /// Reads the counters with the toolchain's tools.
  private func export(_ profiles: RawProfiles, of binaries: [String], _ record: inout StepRecord) throws
    -> CountedExport
  {
    let raw = profiles.readable.map(profiles.folder.file)
    let (folder, name) = (kept.folder("coverage"), "merged.profdata")
    // An existing file keeps its mode, which admits only this user. If there can be none, llvm-profdata says why.
    try? folder.create(name, [])
    let merged = folder.file(name)
    let merge = try tool(
      "llvm-profdata", ["merge", "--sparse", "--failure-mode=all", "--output", merged] + raw, &record)
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
    return CountedExport(
      counts: BuildCounts(
        export: try .read(answer.standardOutput), read: counts.read, rejected: raw.count - counts.read))
  }

  private func rawProfiles(of tests: TestRun, _ lostCounters: inout [String]) -> RawProfiles {
    // If counters are handed over, files are ignored, since anybody could have written them.
    if continuousCounters.areUsed, tests.observation.observer != nil {
      let names = provenProfiles.names()
      return RawProfiles(folder: provenProfiles, found: names, readable: names)
    }
    let handed = handedProfiles(&lostCounters)
    return RawProfiles(
      folder: testFolders.handed, found: handed, readable: handed.filter(isProfileReadable))
  }

  /// The maximum number of counter files that are read: a tool takes all their names at once.
  private static let mostProfiles = 5000

  /// Returns the files in which test processes left their counters, relative to what they handed back; reports why some
  /// are left out.
  private func handedProfiles(_ lostCounters: inout [String]) -> [String] {
    let all = testFolders.handed.names().flatMap { process in
      HandedFolder.profiles(in: testFolders.handed.folder(process)).names()
        .filter { $0.hasSuffix(".profraw") }.map { "\(process)/profiles/\($0)" }
    }
    guard all.count > Self.mostProfiles else { return all }
    lostCounters.append(
      "Test processes left \(all.count) files of counters, of which Martlet reads the first \(Self.mostProfiles), so lines may be shown as never run that did run."
    )
    return Array(all.prefix(Self.mostProfiles))
  }

  /// Whether a profile can be read; anything else that a test process put in its place is reported and not read.
  private func isProfileReadable(_ name: String) -> Bool {
    guard let reason = testFolders.handed.refusal(of: name) else { return true }
    let file = name.split(separator: "/").last ?? ""
    journal.warn(.countersNotRead(file: String(file), reason: reason))
    return false
  }

  /// Returns why lines that ran may be shown as never run.
  private func missingCounters(_ lost: [String], rejected: Int, of all: Int) -> [String] {
    let unreadable =
      rejected == 0
      ? [] : ["\(rejected) of \(all) profiles could not be read, so lines may be shown as never run that did run."]
    return lost.prefix(3) + unreadable
  }

  func contents(of binary: String) throws -> [UInt8] {
    let parts = binary.split(separator: "/")
    guard let name = parts.last, let bytes = Folder("/" + parts.dropLast().joined(separator: "/")).read(String(name))
    else { throw CoverageFailure(description: "The program \(binary) cannot be read.") }
    return bytes
  }

  /// Returns the counts without the runs that ended where a process ended itself, such as `exit(0)`, in what follows there.
  ///
  /// Nothing changes if the counters were read by the toolchain's own tools, which tell sums only.
  func withoutEndedRuns(_ counted: CountedExport, _ selection: SourceSelection) -> CountedExport {
    guard var programs = counted.programs, let totals = counted.totals else { return counted }
    let texts = counted.counts.export.names.compactMap { name -> (name: String, bytes: [UInt8])? in
      guard name.hasSuffix(".swift"), case .counted(let path, _) = selection.role(of: name) else { return nil }
      return text(of: path).map { (name, $0) }
    }
    guard programs.leaveOutRuns(endedAt: EndOfRuns.all(in: texts), totals) else { return counted }
    var counted = counted
    (counted.programs, counted.counts.export) = (programs, programs.export(totals))
    return counted
  }
}
