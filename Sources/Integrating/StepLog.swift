import Model
import Processes

/// The log of one step: what its programs printed, byte by byte, in a file of the integration's folder.
struct StepLog {
  private let file: LogFile

  init(_ step: Step, in kept: Folder) throws(IntegrationStop) {
    do {
      file = try LogFile(path: kept.folder("log").create().file("\(step.rawValue).log"))
    } catch {
      throw IntegrationStop(error)
    }
  }

  /// Runs a program, with its output going into the log and to a listener.
  ///
  /// What the program cost is added to the step's record. A canceled run ends the integration.
  @discardableResult
  func run(
    _ command: Command, limits: Limits, cancellation: Cancellation, supervision: Supervision? = nil,
    record: inout StepRecord, listener: (OutputChunk) -> Void = { _ in }
  ) throws(IntegrationStop) -> ProcessResult {
    let result: ProcessResult
    do {
      try file.append("$ \(command.words.joined(separator: " "))\n")
      result = try command.run(limits: limits, cancellation: cancellation, supervision: supervision) { chunk in
        try file.append(chunk.bytes)
        listener(chunk)
      }
    } catch {
      throw IntegrationStop(error)
    }
    record.add(result)
    if result.why == .canceled { throw .canceled }
    return result
  }

  func close() throws(IntegrationStop) {
    do {
      try file.close()
    } catch {
      throw IntegrationStop(error)
    }
  }
}

extension StepRecord {
  /// Adds what a process of the step cost; the last process decides how the step's process ended.
  mutating func add(_ result: ProcessResult) {
    cpu = (cpu ?? 0) + result.cpu.inSeconds
    peakMemory = max(peakMemory ?? 0, result.peakMemory)
    switch result.end {
    case .exited(let status): (exitStatus, signal) = (status, nil)
    case .signaled(let number): (exitStatus, signal) = (nil, number)
    case .notStarted: break
    }
  }
}

extension Duration {
  /// The duration in seconds.
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
