import Foundation
import Processes
import Synchronization

/// A server written in Python, which says its port on the first line; it is gone when the test lets go of it.
final class PythonServer: Sendable {
  let port: String
  private let worker: Worker<Void>
  private let cancellation: Cancellation

  init(_ python: String, _ program: String, _ arguments: [String]) throws {
    let cancellation = try Cancellation()
    let command = Command(python, ["-c", program] + arguments, environment: ["HOME": "/"], workingDirectory: "/")
    let line = FirstLine()
    worker = try Worker {
      _ = try command.run(limits: Limits(wallClock: .seconds(120)), cancellation: cancellation) { chunk in
        line.add(chunk.bytes)
      }
    }
    self.cancellation = cancellation
    do {
      port = try line.wait()
    } catch {
      cancellation.cancel()
      throw error
    }
  }

  deinit {
    cancellation.cancel()
    _ = try? worker.join()
  }

  /// The first Python that can import a package; `MARTLET_PYTHON` names one to try before the machine's.
  static func python(with package: String) -> String? {
    let candidates = [ProcessInfo.processInfo.environment["MARTLET_PYTHON"], "/usr/bin/python3"].compactMap(\.self)
    return candidates.first { python in
      let command = Command(python, ["-c", "import \(package)"], environment: [:], workingDirectory: "/")
      guard let cancellation = try? Cancellation() else { return false }
      let output = try? command.collect(
        limits: Limits(wallClock: .seconds(20)), cancellation: cancellation, limit: 1 << 16)
      return output?.result.succeeded == true
    }
  }
}

/// The first line that a program prints, for somebody who waits for it.
private final class FirstLine: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  private let isWhole = DispatchSemaphore(value: 0)

  func add(_ more: some Sequence<UInt8>) {
    bytes.withLock { $0 += more }
    if bytes.withLock({ $0.contains(0x0A) }) { isWhole.signal() }
  }

  func wait() throws -> String {
    guard isWhole.wait(timeout: .now() + 30) == .success else { throw CocoaError(.fileReadUnknown) }
    return bytes.withLock { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) }
  }
}
