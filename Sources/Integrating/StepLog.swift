import Model
import Processes

/// The log of one step: the output of its programs, byte for byte except for secrets, in a file of the integration's
/// folder.
struct StepLog {
  private let file: LogFile
  let mask: SecretMask

  init(_ step: Step, in kept: Folder, mask: SecretMask) throws(IntegrationStop) {
    file = try stopping {
      try kept.createFolder(of: step.logPath)
      return try LogFile(path: kept.file(step.logPath))
    }
    self.mask = mask
  }

  /// Runs a program, passing its output to the log and to a listener; neither sees a secret.
  ///
  /// The program's cost is added to the step's record. A canceled run ends the integration, unless its caller still takes
  /// what the program had done.
  ///
  /// - Parameter announcement: what the log says in the place of the command; nil for the command.
  @discardableResult
  func run(
    _ command: Command, announcedAs announcement: RunAnnouncement? = nil, limits: Limits, cancellation: Cancellation,
    supervision: Supervision? = nil, record: inout StepRecord, keepsCanceled: Bool = false,
    listener: (OutputChunk) -> Void = { _ in }
  ) throws(IntegrationStop) -> ProcessResult {
    let result = try stopping {
      // A word with blanks, such as a script of the shell, is one only in quotation marks.
      let words = command.words.map { $0.contains(" ") ? RepeatCommand.quoted($0) : $0 }
      try write("\(announcement?.line ?? "$ \(words.joined(separator: " "))")\n")
      var streams = MaskedOutput(mask)
      func take(_ chunk: OutputChunk) throws {
        try file.append(chunk.bytes)
        listener(chunk)
      }
      let result = try command.run(limits: limits, cancellation: cancellation, supervision: supervision) { chunk in
        try streams.feed(chunk, take)
      }
      try streams.finish(take)
      return result
    }
    record.add(result)
    if result.why == .canceled, !keepsCanceled { throw .canceled }
    return result
  }

  /// Writes a message of Martlet's own.
  func note(_ text: String) throws(IntegrationStop) {
    try stopping { try write(text) }
  }

  /// Writes what the next process is for.
  func note(_ announcement: RunAnnouncement) throws(IntegrationStop) { try note("\(announcement.line)\n") }

  /// Writes how a process ended, and at which limit; nothing for one that did not start.
  func noteEnd(of result: ProcessResult, at limit: RunEnd.Limit? = nil) throws(IntegrationStop) {
    let status: RunEnd.Status
    switch result.end {
    case .exited(let number): status = .exited(number)
    case .signaled(let number): status = .signaled(number)
    case .notStarted: return
    }
    try note("\(RunEnd(status, after: result.duration.inSeconds, at: limit).line)\n")
  }

  /// Writes a line of Martlet's own, not behind what a program left unended.
  private func write(_ text: String) throws { try file.append((file.isMidLine ? "\n" : "") + mask.mask(text)) }

  func close() throws(IntegrationStop) {
    try stopping { try file.close() }
  }
}

extension Step {
  /// The path of its log in the folder of an integration.
  var logPath: String { "log/\(rawValue).log" }
}

extension StepRecord {
  /// Adds the cost of one of the step's processes; the last process determines how the step's process ended.
  mutating func add(_ result: ProcessResult) {
    cpu = (cpu ?? 0) + result.cpu.inSeconds
    peakMemory = max(peakMemory ?? 0, result.peakMemory)
    switch result.end {
    case .exited(let status): (exitStatus, signal) = (status, nil)
    case .signaled(let number): (exitStatus, signal) = (nil, number)
    case .notStarted: break
    }
  }

  /// Keeps the end of an earlier process if it is worse: a later one that passes does not undo a failure.
  mutating func keepEnd(of earlier: StepRecord) {
    guard signal == nil, earlier.signal != nil || (exitStatus ?? 0) == 0 else { return }
    (exitStatus, signal) = (earlier.signal == nil ? earlier.exitStatus ?? exitStatus : nil, earlier.signal)
  }

  /// Adds the cost of an earlier attempt that failed.
  mutating func add(_ before: StepRecord) {
    duration += before.duration
    cpu = (cpu ?? 0) + (before.cpu ?? 0)
    peakMemory = [peakMemory, before.peakMemory].compactMap(\.self).max()
    warm = before.warm
  }
}
