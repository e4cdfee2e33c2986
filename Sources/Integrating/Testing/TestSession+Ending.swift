import Model
import Parsing
import Processes

extension TestSession {
  /// Why the results do not come by the private channel, as the middle of a sentence; nil when they do.
  func reasonForSource(of run: ParsedTestRun, _ channel: ObserverChannel?) -> String? {
    guard let channel else {
      if case .none(let why) = observation { return why }
      return nil
    }
    if run.library == .xctest, let why = observation.observer?.withoutXCTest, channel.isConnected { return why }
    if let failure = channel.failure { return "the observer could not be loaded: \(failure)" }
    let isFollowed = run.library == .xctest ? channel.readiness.isReady : channel.isStreaming
    return isFollowed ? nil : "the process did not load the observer"
  }

  /// Takes note of what is proven about the end of a process.
  func weighTheEnd(of run: inout ParsedTestRun, _ channel: ObserverChannel?, _ trace: ProcessTrace) {
    let isFollowed = channel?.isConnected == true
    run.exit = channel?.exit.map(located)
    // A process that says with which status it ends has its way to Martlet still.
    run.lostEvidence = isFollowed && run.exit == nil && trace.result.end == .exited(Observer.lostStatus)
    guard let why = run.sourceReason, trace.result.why == .byItself else { return }
    if run.library == .xctest, isFollowed {
      run.weigh(run.exit?.endsRun == true ? .given : .refuted)
    } else {
      run.weigh(.missing(why: why))
    }
  }

  /// Finds the place of a call in the package.
  private func located(_ exit: ObservedExit) -> ObservedExit {
    var exit = exit
    guard !exit.endsRun, [executable, PackagePaths.resolved(executable)].contains(exit.file), exit.offset > 0 else {
      return exit
    }
    // What is on the stack is where the call would return to.
    let address = "0x\(String(exit.offset - 1, radix: 16))\n"
    // Without the symbolizer's answer the sentence lacks the place.
    let answer = try? ask("llvm-symbolizer", ["--obj=\(executable)", "--output-style=JSON", "--no-demangle"], address)
    let place = answer.map { SymbolizedPlaces.read($0) { paths.relative($0) } }?.values.first
    exit.place = place.map { SourceLocation(file: $0.file, line: $0.line) }
    return exit
  }
}
