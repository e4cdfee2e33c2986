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

  private let command: Command
  private let file: String
  private let child: Child
  private var end: ProcessEnd?
  private var isOver = false
  private var isOutputOpen = true
  private var isErrorOpen = true

  /// Starts the program. A failure to start may also be reported later, as news.
  package init(_ command: Command) throws(ProcessError) {
    try command.validate()
    self.command = command
    file = try command.lookUp()
    child = try Child(command, file: file, limits: Limits())
  }

  /// The descriptors to wait for; empty when the program is over.
  package var descriptors: [Int32] {
    if isOver { return [] }
    return [child.controlNumber] + (isOutputOpen ? [child.output.number] : [])
      + (isErrorOpen ? [child.error.number] : [])
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
      let ready = Self.ready(descriptors)
      if ready.isEmpty { break }
      if ready.contains(child.output.number) { isOutputOpen = read(child.output, &news) { .output($0) } }
      if ready.contains(child.error.number) { isErrorOpen = read(child.error, &news) { .errorOutput($0) } }
      if ready.contains(child.controlNumber) { hear(&news) }
    }
    return news
  }

  /// Reads once. Returns false at the end.
  private func read(_ pipe: borrowing Descriptor, _ news: inout [News], _ make: ([UInt8]) -> News) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    switch pipe.read(into: &buffer) {
    case .bytes(let count): news.append(make(Array(buffer[..<count])))
    case .nothingYet: break
    case .end: return false
    }
    return true
  }

  private func hear(_ news: inout [News]) {
    guard let report = child.receive() else {
      child.collect()
      return finish(.failed(.unwatched(command.executable)), &news)
    }
    switch report.news {
    case CPROCESS_FAILED:
      child.collect()
      finish(.failed(.start(command, file: file, stage: report.stage, errno: report.code)), &news)
    case CPROCESS_ENDED:
      end = ProcessEnd(report, isContained: command.isContained)
      // The processes it left behind end with it.
      child.kill()
    default:
      if report.survivors == 0 { child.collect() }
      finish(.over(end ?? .signaled(SIGKILL)), &news)
    }
  }

  private func finish(_ last: News, _ news: inout [News]) {
    isOver = true
    // Nothing should be writing anymore, but limit the reads in case a survivor does.
    for _ in 0..<256 where isOutputOpen { isOutputOpen = readRest(child.output, &news) { .output($0) } }
    for _ in 0..<256 where isErrorOpen { isErrorOpen = readRest(child.error, &news) { .errorOutput($0) } }
    news.append(last)
  }

  /// Reads once. Returns false when nothing is left.
  private func readRest(_ pipe: borrowing Descriptor, _ news: inout [News], _ make: ([UInt8]) -> News) -> Bool {
    let count = news.count
    return read(pipe, &news, make) && news.count > count
  }

  private static func ready(_ descriptors: [Int32]) -> Set<Int32> {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&entries, nfds_t(entries.count), 0) > 0 else { return [] }
    return Set(entries.filter { $0.revents != 0 }.map(\.fd))
  }
}
