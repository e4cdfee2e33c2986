import Model
import Testing

@testable import BotFiles

/// Reads files as the tests write them: the bot `greeter` in `/etc/martlet/bots`, the home folder `/users/ada`.
enum Reading {
  static func surroundings(_ settings: ServerSettings = ServerSettings()) -> Surroundings {
    Surroundings(folder: "/etc/martlet/bots", home: "/users/ada", settings: settings)
  }

  static func settings(_ bytes: [UInt8], in folder: String) throws -> ServerSettings {
    let (settings, error) = SettingsFile.readWhatIsRight(
      bytes, file: "martlet.yml", in: Surroundings(folder: folder, home: "/users/ada"))
    if let error { throw error }
    return settings
  }

  static func bot(_ text: String, settings: ServerSettings = ServerSettings()) throws -> Bot {
    try BotFile.read(Array(text.utf8), name: "greeter", file: "bots/greeter.yml", in: surroundings(settings))
  }

  /// A bot whose file says only this beside its repository.
  static func bot(saying text: String, settings: ServerSettings = ServerSettings()) throws -> Bot {
    try bot("repository: /git/Greeter\n\(text)\n", settings: settings)
  }

  static func problems(_ text: String, settings: ServerSettings = ServerSettings()) -> [FileProblem] {
    problems { _ = try bot(text, settings: settings) }
  }

  /// `line:column: message` of each problem in what a bot's file says from its second line on.
  static func messages(saying text: String, settings: ServerSettings = ServerSettings()) -> [String] {
    problems("repository: /git/Greeter\n\(text)\n", settings: settings).map(Self.line)
  }

  static func problems(_ body: () throws -> Void) -> [FileProblem] {
    do {
      try body()
      return []
    } catch let error as BotFileError {
      return error.problems
    } catch {
      Issue.record("not a problem of a file: \(error)")
      return []
    }
  }

  static func line(_ problem: FileProblem) -> String {
    problem.place.map { "\($0.line):\($0.column): \(problem.message)" } ?? problem.message
  }
}
