import Parsing

extension IntegrationRun {
  /// Returns the counts without the runs that ended where a process ended itself, such as `exit(0)`, in what follows there.
  ///
  /// Nothing changes if the counters were read by the toolchain's own tools, which tell sums only.
  func withoutEndedRuns(_ counted: CountedExport, _ selection: SourceSelection) -> CountedExport {
    guard var programs = counted.programs, let totals = counted.totals else { return counted }
    let texts = counted.export.names.compactMap { name -> (name: String, bytes: [UInt8])? in
      guard name.hasSuffix(".swift"), case .counted(let path, _) = selection.role(of: name) else { return nil }
      return text(of: path).map { (name, $0) }
    }
    guard programs.leaveOutRuns(endedAt: EndOfRuns.all(in: texts), totals) else { return counted }
    var counted = counted
    (counted.programs, counted.export) = (programs, programs.export(totals))
    return counted
  }
}
