import Integrating
import Model
import Processes
import Rendering

/// The output of an integration's programs, printed while it runs.
struct FollowedLog {
  private let log: GrowingLog
  private let step: Step?
  private let name: String
  private let context: Context

  /// - Parameters:
  ///   - word: BOT or BOT/N.
  ///   - step: The step to print; nil for all.
  init(of word: String, _ step: Step?, in stored: StoredIntegrations, _ context: Context) throws {
    guard let named = IntegrationName(word), named.rest == nil || named.number != nil,
      let log = stored.growingLog(of: named.bot, named.number)
    else {
      throw UsageError(
        "there is no integration '\(word)' in \(stored.path), running or over. See 'martlet help log'.")
    }
    self.log = log
    self.step = step
    self.context = context
    name = "\(named.bot)/\(log.number)"
  }

  /// The interval between checks for new output.
  private static let pause = Duration.milliseconds(200)

  /// Prints until the integration is over or the user interrupts.
  func follow() throws -> Int32 {
    let cancellation = try Cancellation()
    try cancellation.cancelOnSignals()
    var printed: [Step: Int] = [:]
    while true {
      // Checked before the logs, so that everything written before the end is printed.
      let isOver = log.isOver
      for one in log.logs.map(\.step) where step == nil || one == step {
        if printed[one] == nil, step == nil { context.remark("\(name), \(one.rawValue):") }
        var bytes = log.bytes(of: one, from: printed[one] ?? 0)
        // Whole lines, so that no character is cut.
        if !isOver { bytes = bytes.wholeLines }
        printed[one, default: 0] += bytes.count
        if bytes.isEmpty { continue }
        if context.outputIsTerminal {
          try context.write(VisibleText.of(String(decoding: bytes, as: UTF8.self)))
        } else {
          try context.writeBytes(bytes)
        }
      }
      if isOver { return ExitCode.success }
      if cancellation.wait(atMost: Self.pause) { return ExitCode.canceled }
    }
  }
}

extension [UInt8] {
  fileprivate var wholeLines: [UInt8] {
    lastIndex(of: UInt8(ascii: "\n")).map { Array(self[...$0]) } ?? []
  }
}
