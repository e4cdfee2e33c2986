import Model

/// The branches and tags that a bot has to do with.
struct BotRefs {
  /// Those that it asks for.
  var asked: Set<RefName>
  /// The same, and all branches of its repository, which a person or `martlet run` may have asked for.
  var all: Set<RefName>

  /// The names of the workspaces of some branches; tags have none that stays.
  static func workspaces(of refs: Set<RefName>) -> Set<String> {
    Set(refs.compactMap(\.branch).map(FileSystemName.workspace(of:)))
  }
}
