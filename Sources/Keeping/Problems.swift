/// What is wrong as far as the watcher has told it, each as a sentence; nil and absent where nothing is.
struct Problems {
  /// With the database or the disk.
  var store: String?
  /// Why the site is out of date.
  var site: String?
  /// Why there is too little room on the disk.
  var room: String?
  /// Why not everything can be sent.
  var sending: String?
  /// Why removals in folders fail, by folder.
  var removals: [String: String] = [:]
  /// With the bots' files, by bot.
  var bots: [String: String] = [:]
  /// That the package is not where a bot's changed file says, by bot.
  var packages: [String: String] = [:]
  /// Why forges reject what bots send, by bot.
  var refusals: [String: String] = [:]
  /// With repositories, by path.
  var repositories: [String: OfRepository] = [:]
  /// The bots about which it was told that they skip strangers' change requests.
  var strangeBots: Set<String> = []

  struct OfRepository {
    var words: String
    /// Whether something that a bot asks for is damaged, so that nothing could be decided about it.
    var isDamaged = false
  }

  /// Those with the service as a whole.
  var ofService: [String] {
    [store, site, room, sending].compactMap(\.self) + removals.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns those with a bot, its repository or what it sends.
  func all(of bot: String, in repository: String) -> [String] {
    [bots[bot], repositories[repository]?.words, packages[bot], refusals[bot]].compactMap(\.self)
  }
}

extension Watcher {
  /// Tells a problem when it arises or changes, once; returns whether it is another one than before, or over.
  @discardableResult
  func note(_ problem: String?, as part: WritableKeyPath<Problems, String?>) -> Bool {
    guard problems[keyPath: part] != problem else { return false }
    if let problem { say(problem) }
    problems[keyPath: part] = problem
    return true
  }
}
