import CProcess
import Glibc

/// A program that runs alongside the caller's own loop, with the same containment as with `Command.run`.
///
/// Nothing here waits. The caller waits until one of the descriptors is readable and then takes the news; the last news
/// is `over` or `failed`. When the caller ends for any reason, so do the program and all its descendants.
package final class RunningCommand {
  /// An event in the life of the program.
  package enum News: Hashable, Sendable {
    case output([UInt8])
    case errorOutput([UInt8])
    /// The program has ended and none of its processes is left.
    case over(ProcessEnd)
    /// The program could not be started, or could not be supervised to its end.
    case failed(ProcessError)
  }

  private let child: Child
  private var streams = OutputStreams(started: .now, atOnce: 16_384)
  private var end: ProcessEnd?
  private var isOver = false

  /// Starts the program. A failure to start may also be reported later, as news.
  package init(_ command: Command) throws(ProcessError) {
    try command.validate()
    child = try Child(command, file: command.lookUp(), limits: Limits())
  }

  /// The descriptors to wait for; empty when the program is over.
  package var descriptors: [Int32] {
    isOver ? [] : [child.controlNumber] + streams.descriptors(child).filter { $0 >= 0 }
  }

  /// Asks the program and its process group to terminate.
  package func terminate() { if !isOver { child.terminate() } }

  /// Kills the program and all its descendants.
  package func kill() { if !isOver { child.kill() } }

  /// The most pieces of output that are taken at once, so that a program that writes faster than it is read does not fill
  /// the memory.
  private static let mostPieces = 64

  /// Returns the news that is available. If there is more, the descriptors remain readable.
  package func takeNews() -> [News] {
    var news: [News] = []
    while !isOver, news.count < Self.mostPieces {
      guard let ready = Descriptor.wait(for: descriptors, milliseconds: 0), ready.contains(true) else { break }
      read(&news)
      // The keeper's is the first of the descriptors.
      if ready[0] { hear(&news) }
    }
    return news
  }

  /// Reads once from each stream. Returns whether there was anything.
  @discardableResult
  private func read(_ news: inout [News]) -> Bool {
    var count = 0
    count += streams.read(.standardOutput, from: child) { news.append(.output(Array($0.bytes))) }
    count += streams.read(.standardError, from: child) { news.append(.errorOutput(Array($0.bytes))) }
    return count > 0
  }

  private func hear(_ news: inout [News]) {
    do throws(ProcessError) {
      let report = try child.receive()
      switch report.news {
      case CPROCESS_ENDED:
        end = ProcessEnd(report, isContained: child.command.isContained)
        // The processes it left behind end with it.
        child.kill()
      default:
        if report.survivors == 0 { child.collect() }
        finish(.over(end ?? .signaled(SIGKILL)), &news)
      }
    } catch {
      finish(.failed(error), &news)
    }
  }

  private func finish(_ last: News, _ news: inout [News]) {
    isOver = true
    // Nothing should be writing anymore, but limit the reads in case a survivor does.
    var rounds = 0
    while rounds < 256, read(&news) { rounds += 1 }
    news.append(last)
  }
}
