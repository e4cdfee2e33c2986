import FoundationEssentials
import Git
package import Model

extension Home {
  /// What the watcher of this home does, as it last wrote it; nil where none has, or one that this Martlet cannot read.
  package var watchState: WatchState? {
    guard let bytes = folder.read(WatchState.fileName) else { return nil }
    return try? JSONDecoder().decode(WatchState.self, from: Data(bytes))
  }

  /// The branches of a bot's repository; nil where it cannot be read, so that nobody knows which are gone.
  ///
  /// - Parameters:
  ///   - repository: where it is; nil or empty for where the bot last integrated.
  ///   - globs: those of the bot's file; nil without one.
  package func branches(of bot: String, in repository: String?, asked globs: [String]?) -> KnownBranches? {
    let known = repository.flatMap { $0.isEmpty ? nil : $0 }
    guard let path = known ?? repositoryPath(of: bot),
      // Who integrates from it says what is wrong with it.
      let tips = try? Repository(at: path).tips(withTags: false)
    else { return nil }
    return KnownBranches(tips, asked: globs)
  }

  /// The path of the repository that a bot last integrated.
  private func repositoryPath(of bot: String) -> String? {
    guard let bytes = integrations(of: bot).read("repository") else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}
