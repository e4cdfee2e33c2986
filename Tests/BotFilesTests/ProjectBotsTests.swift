import BotFiles
import FoundationEssentials
import Model
import Testing

@Suite("The bots of this project")
struct ProjectBotsTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private func bots(in folder: String) throws -> [Bot] {
    let configuration = Configuration(folder: Self.root, botsFolder: "\(Self.root)/\(folder)", userHome: "/users/ada")
    return try configuration.botFiles().map { try configuration.bot(at: $0, settings: ServerSettings()) }
  }

  @Test("Whoever points a watcher at the folder gets the bot of Martlet itself, and no example")
  func martlet() throws {
    let bots = try bots(in: "bots")
    #expect(bots.map(\.name) == ["martlet"])
    #expect(bots.first?.branches == ["main", "release/*"])
    // The repository may be reached by a link.
    let real = URL(filePath: Self.root).resolvingSymlinksInPath().path
    #expect(bots.first?.repository == real)
  }

  @Test("The examples are right, too")
  func examples() throws {
    let bots = try bots(in: "bots/examples")
    #expect(bots.map(\.name) == ["greeter", "greeter-nightly"])
    #expect(bots.allSatisfy { $0.repository == "/users/ada/git/Greeter.git" })
    #expect(bots.last?.schedule.every == .daily(Schedule.TimeOfDay(hour: 3, minute: 0)))
  }
}
