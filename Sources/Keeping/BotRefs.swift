import Model

/// The branches and tags that concern a bot.
struct BotRefs {
  /// The refs that the bot watches.
  var asked: Set<RefName>
  /// Those refs plus all branches of its repository, which a person or `martlet run` may have requested.
  var all: Set<RefName>

  /// Returns the names of the branches' workspaces; tags have no permanent ones.
  static func workspaces(of refs: Set<RefName>) -> Set<String> {
    Set(refs.compactMap(\.branch).map(FileSystemName.workspace(of:)))
  }
}
