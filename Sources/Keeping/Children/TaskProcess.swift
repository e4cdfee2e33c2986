import FoundationEssentials
import Glibc
package import Model
import Processes

/// A child process of the watcher.
package class TaskProcess: RunningTask {
  /// The bytes of a child's standard error to keep for reporting why it failed.
  private static let mostErrorBytes = 4096

  private let running: RunningCommand
  private var errors: [UInt8] = []

  init(_ running: RunningCommand) {
    self.running = running
  }

  package var descriptors: [Int32] { running.descriptors }
  package func terminate() { running.terminate() }
  package func kill() { running.kill() }

  package func takeEnd() -> TaskEnd? {
    var end: TaskEnd?
    for news in running.takeNews() {
      switch news {
      case .output(let bytes): take(bytes)
      case .errorOutput(let bytes): errors = Array((errors + bytes).suffix(Self.mostErrorBytes))
      case .over(let how): end = TaskEnd(failure: failure(how))
      case .failed(let error): end = TaskEnd(failure: error.description)
      }
    }
    return end
  }

  /// Handles standard output.
  func take(_ bytes: [UInt8]) {}

  private func failure(_ end: ProcessEnd) -> String? {
    let lastLine = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).last
    let words = lastLine.map { "; its last words: \($0)" } ?? ""
    return switch end {
    case .exited(0): nil
    case .exited(let code): "it ended with exit status \(code)\(words)"
    case .signaled(let number): "it was ended by signal \(number)\(words)"
    case .notStarted: "it was not started"
    }
  }
}

/// A child that reports its result in one line of JSON. The pipe that delivers its order also tells it that the watcher
/// is alive.
final class AnsweringProcess<Answer: Decodable>: TaskProcess, AnsweringTask {
  private let orders: InputPipe
  private var said: [UInt8] = []

  init(_ running: RunningCommand, orders: consuming InputPipe) {
    self.orders = orders
    super.init(running)
  }

  override func take(_ bytes: [UInt8]) {
    let longestAnswer = 1 << 16
    said += bytes.prefix(max(0, longestAnswer - said.count))
  }

  func takeAnswer() -> Answer? {
    // If the line is incomplete, the way in which the process ended tells why.
    try? JSONDecoder().decode(Answer.self, from: Data(said))
  }
}

/// A child that carries out an integration and reports its progress in lines of JSON.
package final class ProcessIntegration: TaskProcess, RunningIntegration {
  /// The longest line to accept; Martlet writes no longer ones.
  private static let longestLine = 1 << 20

  private var orders: InputPipe?
  private var line: [UInt8] = []
  private var news: [IntegrationNews] = []

  init(_ running: RunningCommand, orders: consuming InputPipe) {
    self.orders = consume orders
    super.init(running)
  }

  package func takeNews() -> [IntegrationNews] {
    defer { news = [] }
    return news
  }

  package func detach() { orders = nil }

  override func take(_ bytes: [UInt8]) {
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        if line.count < Self.longestLine { line.append(byte) }
        continue
      }
      // Ignores anything else that a library may print there.
      if let one = try? JSONDecoder().decode(IntegrationNews.self, from: Data(line)) { news.append(one) }
      line = []
    }
  }
}
