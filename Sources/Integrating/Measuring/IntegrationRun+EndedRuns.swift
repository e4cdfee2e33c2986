import Parsing
import Syntax

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
    // A function of the package that has such a name may return.
    let names = FinalCall.names.filter { name in
      let declaration = Array("func \(name)(".utf8)
      return !texts.contains { $0.bytes.count(of: declaration, upTo: 1) > 0 }
    }
    let ends = texts.compactMap { name, bytes -> (String, [EndOfRuns])? in
      guard names.contains(where: { bytes.count(of: Array("\($0)(".utf8), upTo: 1) > 0 }) else { return nil }
      return (name, EndOfRuns.all(in: bytes, of: names))
    }.filter { !$0.1.isEmpty }
    guard programs.leaveOutRuns(endedAt: Dictionary(ends) { first, _ in first }, totals) else { return counted }
    var counted = counted
    (counted.programs, counted.export) = (programs, programs.export(totals))
    return counted
  }
}
