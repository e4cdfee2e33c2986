import FoundationEssentials
import Glibc
import Model
import Testing

extension Program {
  /// Has the program carry an order out as a watcher would, and returns its news and its exit status.
  func carryOut(_ order: IntegrationOrder) throws -> (news: [IntegrationNews], status: Int32?) {
    var order = order
    order.bot.buildSystem = order.bot.buildSystem ?? Self.buildSystem
    let run = try run("carry-out", order: order, "orders-\(order.number)")
    let news = try run.output.split(separator: "\n").map {
      try JSONDecoder().decode(IntegrationNews.self, from: Data($0.utf8))
    }
    return (news, run.status)
  }

  /// Has the program send post as a watcher would.
  func deliver(_ order: SendingOrder) throws -> Run {
    try run("deliver", order: order, "orders-post")
  }

  private func run(_ command: String, order: some Encodable, _ name: String) throws -> Run {
    let line = try JSONEncoder().encode(order) + Data("\n".utf8)
    let pipe = scratch.file(name)
    unlink(pipe)
    mkfifo(pipe, 0o600)
    // The end of the input is the watcher's death, so the pipe stays open for as long as the program runs.
    let end = open(pipe, O_RDWR)
    defer { close(end) }
    try #require(line.withUnsafeBytes { write(end, $0.baseAddress, $0.count) } == line.count)
    lendTools(for: [command])
    return try Program.run(Program.path, [command], environment: variables, in: scratch.path, input: pipe)
  }
}
