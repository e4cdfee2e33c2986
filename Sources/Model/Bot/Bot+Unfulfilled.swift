extension Bot {
  /// A setting that this version of Martlet reads and does not act on yet.
  package struct Unfulfilled: Hashable, Sendable {
    /// The way to the setting in the bot's file.
    package var path: [String]
    /// What does not happen, as a sentence.
    package var sentence: String
  }

  /// What the bot is set to and does not do yet; nobody should rely on it in silence.
  ///
  /// TODO(when a setting works): remove its line here.
  package var unfulfilled: [Unfulfilled] {
    var found: [Unfulfilled] = []
    func add(_ isAsked: Bool, _ path: [String], _ what: String) {
      guard isAsked else { return }
      let setting = path.filter { Int($0) == nil }.joined(separator: ".")
      found.append(Unfulfilled(path: path, sentence: "'\(setting)' does nothing in this version: \(what)."))
    }
    add(!tests.names.isEmpty, ["tests", "names"], "names of tests are not looked at")
    return found
  }
}
