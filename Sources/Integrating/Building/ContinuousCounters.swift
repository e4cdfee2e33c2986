/// Coverage counters that are in a mapped file from the start of a process, so that a crash does not lose them.
///
/// SwiftPM adds the counters to Swift modules only: code compiled by clang is not counted and needs no flag. If a
/// manifest makes clang count as well, the counters of C code would stay in memory and be lost, so all counters are
/// written at the end of the process, as usual: see
/// [Clang's documentation](https://clang.llvm.org/docs/SourceBasedCodeCoverage.html#running-the-instrumented-program).
struct ContinuousCounters: Sendable {
  let areUsed: Bool

  /// - Parameter manifests: the texts of `Package.swift` and its variants for other tools versions.
  init(manifests: [String]) {
    let flags = ["-fprofile-instr-generate", "-fprofile-generate", "-fcs-profile-generate"]
    areUsed = !manifests.contains { manifest in flags.contains { manifest.contains($0) } }
  }

  /// Returns the file name of a process's counters, which the profiling runtime expands per module and process.
  func fileName(of process: String) -> String {
    "\(process)-\(areUsed ? "%c" : "")%m.%p.profraw"
  }

  /// Whether a process left its counters in a folder.
  ///
  /// Without continuous counters, a file is proof only for a process that ended by itself: children leave files, too.
  func wereLeft(by process: String, endedBySignal: Bool, in folder: Folder) -> Bool {
    guard areUsed || !endedBySignal else { return false }
    return folder.names().contains { $0.hasPrefix("\(process)-") && $0.hasSuffix(".profraw") }
  }
}

extension IntegrationRun {
  var continuousCounters: ContinuousCounters {
    let names = packageFolder.names().filter { $0.hasPrefix("Package") && $0.hasSuffix(".swift") }
    return ContinuousCounters(
      manifests: names.map { packageFolder.text(of: $0) ?? "" })
  }
}
